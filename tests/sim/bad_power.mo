// expect exit 4
// expect error R604 at 8
// expect message `(x - 0.5)^1.5` has no value
model BadPower
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = (x - 0.5)^1.5;
end BadPower;
