// expect exit 4
// expect error R605 at 9
// expect message at time 0.502: x is 0.498
// expect x(0.5) = 0.5 +- 1e-9
model BadAssert
  Real x(start = 1, fixed = true);
equation
  der(x) = -1;
  assert(x > 0.499, "x is " + String(x));
end BadAssert;
