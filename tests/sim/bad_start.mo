// expect exit 3
// expect error I501 at 7
// expect message `p/p` has no value
// expect message needed for `x.start`
model BadStart
  parameter Real p = 0;
  Real x(start = p/p, fixed = true);
equation
  der(x) = -x;
end BadStart;
