// A ladder: five unknowns in a loop, most of them follow from one.
model LinearTorn
  parameter Real R = 3;
  Real a, b, c, d, e, x(start = 0, fixed = true);
equation
  a = 1 - e;
  b = a - x;
  c = b + a;
  d = c - b;
  R*e = d + c;
  der(x) = b;
end LinearTorn;
