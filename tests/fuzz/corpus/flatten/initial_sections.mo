model Initial
  parameter Real p(fixed = false, start = 2);
  parameter Real area = 3;
  Real x(start = 1);
  Real y(start = 4, fixed = true);
  Integer n(start = 5);
initial equation
  der(x) = 0;
  p^2 = area;
  if area > 2 then
    pre(n) = 7;
  end if;
initial algorithm
  assert(p > 0, "negative root");
equation
  der(x) = p - x;
  der(y) = -y;
  when x > 3 then
    n = pre(n) + 1;
  end when;
end Initial;
