// options: --units
model Ball
  parameter Real e(unit = "1") = 0.8;
  Real h(unit = "m", start = 1, fixed = true);
  Real v(unit = "m/s");
equation
  der(h) = v;
  v = e*h;
end Ball;
// expect U201 at 8:3
