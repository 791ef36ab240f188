// A load that grows ends the rest of a twisting control: beyond a the switch of x stays on one side, and the motion slides along v = 0; beyond
// a + b, at t = 6.25, it goes away, x = 0.48*(t - 6.25)^3/6.
// run: --stop 10
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect x(4) = 0 +- 1e-9
// expect v(6) = 0 +- 1e-8
// expect u(3) = -0.48*3 +- 2e-6
// expect u(6) = -0.48*6 +- 2e-6
// expect x(10) = 0.08*3.75**3 +- 1e-5
// expect v(10) = 0.24*3.75**2 +- 1e-5
// expect slides = 2
model TwistExit
  parameter Real a = 2.2, b = 0.8;
  Real x(start = 0.07, fixed = true), v(start = 0, fixed = true), u;
equation
  der(x) = v;
  u = -a*sign(x) - b*sign(v);
  der(v) = u + 0.48*time;
end TwistExit;
