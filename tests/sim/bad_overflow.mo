// expect exit 4
// expect error R604 at 8
// expect message `exp(1000.0*x)` is infinite, `1000.0*x` is 710
model BadOverflow
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = exp(1000*x);
end BadOverflow;
