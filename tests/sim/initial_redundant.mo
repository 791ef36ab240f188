// More initial conditions than needed, which agree with each other: y = 2x has a fixed start value, too.
// run: --stop 1 --rtol 1e-9
// expect y(1) = 2*exp(-1) +- 1e-8
model InitialRedundant
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = -x;
  y = 2*x;
end InitialRedundant;
