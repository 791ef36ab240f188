// expect exit 3
// expect error I501 at 10
// expect message `log(x)` has no value
// expect message `x` is 0
// expect message needed for `y`
model BadLogStart
  Real x(start = 0, fixed = true), y;
equation
  der(x) = y;
  y = 3*log(x);
end BadLogStart;
