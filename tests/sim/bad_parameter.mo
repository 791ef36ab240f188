// expect exit 3
// expect error I501 at 7
// expect message `1.0/p` has no value: division by zero
// expect message needed for `q`
model BadParameter
  parameter Real p = 0;
  parameter Real q = 1/p;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x*q;
end BadParameter;
