// expect exit 4
// expect error R606 at 9
// expect message `log(x - 0.5)` has no value
// expect message 1 iteration variable
model BadNonlinear
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1 + 1e-3*y;
  y + y^3 = log(x - 0.5);
end BadNonlinear;
