// A ball that bounces on a plane which is not level rests on it and slides down: the contact force has the direction of the jumps of both
// speeds, and the plane does not turn.
// run: --stop 1.5
// solvers: rk45 rosenbrock cvode ida
// expect z(1.5) = 0 +- 1e-5
// expect vn(1.5) = 0 +- 1e-5
// expect force(1.5) = 9.81*cos(atan(0.3)) +- 1e-4
// expect lost(1.5) = 0 +- 1e-3
// expect contacts = 1
model ContactPlane
  parameter Real k = 0.3, e = 0.4;
  Real x(start = 0, fixed = true), y(start = 0.3, fixed = true), u(start = 0, fixed = true), w(start = 0, fixed = true);
  Real z = (y + k*x)/sqrt(1 + k^2), vn = (w + k*u)/sqrt(1 + k^2), force = (der(w) + 9.81 + k*der(u))/sqrt(1 + k^2);
  Real E = (u^2 + w^2)/2 + 9.81*y, lost = E - E0, E0(start = 0, fixed = true) "energy when the ball came to rest, and since then";
equation
  der(x) = u;
  der(y) = w;
  der(u) = 0;
  der(w) = -9.81;
  der(E0) = 0;
  when z <= 0 then
    reinit(u, pre(u) - (1 + e)*k*(pre(w) + k*pre(u))/(1 + k^2));
    reinit(w, pre(w) - (1 + e)*(pre(w) + k*pre(u))/(1 + k^2));
  end when;
  when time > 0.9 then
    reinit(E0, E);
  end when;
end ContactPlane;
