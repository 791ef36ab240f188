// expect exit 4
// expect error R604 at 10
// expect message `1.0/(k - 1.0)` has no value: division by zero, `k - 1.0` is 0
// expect message last event at time 0.5
model BadDivision
  Real x(start = 0, fixed = true), y, k;
equation
  der(x) = y;
  k = if time < 0.5 then 0 else 1;
  y = 1/(k - 1);
end BadDivision;
