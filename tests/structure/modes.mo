// A string that is tight or slack, and a switch that leaves a mode without an equation.
// options: --modes
model Modes
  parameter Real L = 1, g = 9.81, m = 1;
  Real x(start = 0, fixed = true), y(start = -1, fixed = true), vx(start = 5, fixed = true), vy(start = 0, fixed = true), F, s;
  Real a, b;
  Boolean tight(start = true, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  if tight then
    x^2 + y^2 = L^2;
    s = F;
  else
    F = 0;
    s = sqrt(x^2 + y^2) - L;
  end if;
  tight = s >= 0;
  der(a) = b;
  if time < 0.5 then
    b = 1;
  else
    a = 0.25;
  end if;
end Modes;
