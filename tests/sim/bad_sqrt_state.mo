// The step shrinks first: the solver comes as near as it can to x = 0.5.
// expect exit 4
// expect error R604 at 10
// expect message `sqrt(x - 0.5)` has no value
// expect time = 0.4997644480 +- 1e-8
model BadSqrtState
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1 - 0.001*y;
  y = sqrt(x - 0.5);
end BadSqrtState;
