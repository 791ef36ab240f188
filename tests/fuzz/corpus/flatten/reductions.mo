model Reductions
  parameter Integer n = 3;
  Real x[n] = {i*time for i in 1:n};
  Real m[2, n] = {{i + 10*j + time for j in 1:n} for i in 1:2};
  Real k[2, n] = {i + 10*j + time for j in 1:n, i in 1:2};
  Real s = sum(x[i]^2 for i in 1:n);
  Real p = product(i for i in 1:n)*time;
  Real lo = min(x[i] for i in 2:n);
  Real nothing = sum(x[i] for i in 1:0) + product(x[i] for i in 1:0);
  Real hi = max(x);
end Reductions;
