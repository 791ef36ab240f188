// A linear system whose matrix is given by its entries: x[i] = i*s.
// run: --rtol 1e-9
// expect x[1](1) = 0.36787944117144233 +- 1e-8
// expect x[70](1) = 25.751560882000963 +- 1e-6
model LinearEntries
  parameter Integer n = 70;
  Real x[n], s(start = 1, fixed = true);
equation
  der(s) = -x[n]/n;
  for i in 1:n loop
    x[i]*(2 + i) + 0.1*sum(x) = (i*(2 + i) + 0.05*n*(n + 1))*s;
  end for;
end LinearEntries;
