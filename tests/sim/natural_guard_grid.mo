// The same as natural_guard with other numbers, and another grid: events do not depend on the number of rows. v0^2 = 3.2*g*L.
// run: --stop 4 --intervals 7
// expect span(4) = 4*sqrt(1.62*0.7*0.4)*sqrt(1 - 0.16)/1.62 +- 1e-5
// expect state_events = 2
model NaturalGuardGrid
  parameter Real L = 0.7, g = 1.62, m = 0.2, q = 3.2;
  Real x(start = 0, fixed = true), y(start = -L), vx(start = sqrt(q*g*L), fixed = true), vy(start = 0), F;
  Boolean tight(start = true, fixed = true);
  discrete Real loose(start = 0, fixed = true), span(start = 0, fixed = true);
equation
  tight = if pre(tight) then F >= 0 else x^2 + y^2 >= L^2;
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  if tight then
    x^2 + y^2 = L^2;
  else
    F = 0;
  end if;
  when not tight then
    loose = time;
  end when;
  when tight then
    span = time - pre(loose);
  end when;
end NaturalGuardGrid;
