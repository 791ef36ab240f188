// The direction of a contact force is that of the last jump. Where the surface turns that direction would be wrong, and the force would do
// work: the run ends there, and says so.
// run: --stop 2
// expect exit 5
// expect error R629 at 16
// expect message turned
model ContactTurns "a ball in a bowl y = 0.4*x^2"
  parameter Real e = 0.4;
  Real x(start = 0.6, fixed = true), y(start = 0.5, fixed = true), u(start = 0, fixed = true), w(start = 0, fixed = true);
  Real z = y - 0.4*x^2, vn = (w - 0.8*x*u)/(1 + 0.64*x^2);
equation
  der(x) = u;
  der(y) = w;
  der(u) = 0;
  der(w) = -9.81;
  when z <= 0 then
    reinit(u, pre(u) + (1 + e)*0.8*x*pre(vn));
    reinit(w, pre(w) - (1 + e)*pre(vn));
  end when;
end ContactTurns;
