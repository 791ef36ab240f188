// expect exit 4
// expect error R604 at 8
// expect message `log(x - 0.5)` has no value
model BadLinear
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = -1;
  y + z*log(x - 0.5) = 1;
  y*sqrt(x) - z = 2;
end BadLinear;
