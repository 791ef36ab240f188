// 199 complementarity problems w = q + M v, w >= 0, v >= 0, w*v = 0 with twelve switches, each from the solution of the one
// before. M is positive definite with a skew part ten times as large, as gyrators and controlled sources make it: changing all
// wrong switches goes in circles. What is wrong in any of the solutions is summed up.
// run: --stop 199 --step 1
// expect worst(199) = 0 +- 1e-9
// expect solved(199) = 199 +- 0
model MixedRandom
  constant Integer n = 12;
  parameter Real M[n, n] = {{(if i == j then 1 + 0.5*sin(i) elseif i > j then 10*sin(17*i + 29*j*j) else -10*sin(17*j + 29*i*i)) for j in 1:n} for i in 1:n};
  Real q[n], s[n], v[n], w[n], worst(start = 0, fixed = true);
  Boolean on[n](each start = false);
  Integer solved(start = 0, fixed = true);
equation
  w = q + M*v;
  for k in 1:n loop
    on[k] = s[k] > 0;
    v[k] = if on[k] then s[k] else 0;
    w[k] = if on[k] then 0 else -s[k];
    when sample(0, 1) then
      q[k] = sin(31*k*k + 7*k*time + time*time);
    end when;
  end for;
  when sample(0.5, 1) then
    solved = pre(solved) + 1;
    worst = pre(worst) + sum(max(0, -v[k]) + max(0, -w[k]) + abs(v[k]*w[k]) for k in 1:n) + sum(abs(w - q - M*v));
  end when;
end MixedRandom;
