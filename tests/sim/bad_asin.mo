// expect exit 4
// expect error R604 at 9
// expect message `asin(2.0*x)` has no value: `asin` is not defined for 1.004
// expect x(0.5) = 0.5 +- 1e-9
model BadAsin
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = asin(2*x);
end BadAsin;
