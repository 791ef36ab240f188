// A twisting control follows a reference that moves, against a load that changes: from its rest on what it makes is known.
// run: --stop 10
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect e(6) = 0 +- 2e-7
// expect ev(6) = 0 +- 2e-6
// expect x(10) = sin(10) +- 2e-7
// expect v(10) = cos(10) +- 2e-6
// expect u(8) = -sin(8) - 0.4*cos(24) +- 1e-4
// expect slides = 2
// expect steps <= 3000
model TwistMoving
  parameter Real a = 5, b = 2;
  Real x(start = 0.9, fixed = true), v(start = 0, fixed = true), u, e, ev;
equation
  e = x - sin(time);
  ev = v - cos(time);
  u = -a*(if e > 0 then 1 else -1) - b*(if ev > 0 then 1 else -1);
  der(x) = v;
  der(v) = u + 0.4*cos(3*time);
end TwistMoving;
