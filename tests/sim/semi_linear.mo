// semiLinear(x, a, b): x*a for positive x, x*b for negative ones, with an event between.
// run: --stop 2 --intervals 4 --rtol 1e-9
// expect y(0) = -3 +- 1e-12
// expect y(1.5) = 1 +- 1e-9
// expect state_events = 1
model SemiLinear
  Real x(start = -1, fixed = true), y = semiLinear(x, 2, 3);
equation
  der(x) = 1;
end SemiLinear;
