// A sliding mode controller: the surface is a curve of position and speed, its distance an algebraic variable; a jump leads away from it.
// solvers: auto rk45 rosenbrock cvode ida
// run: --stop 4 --rtol 1e-8
// expect x(1) = exp(-1) +- 1e-6
// expect v(1) = -exp(-1) +- 1e-6
// on the surface s = v + x the control is u = -v
// expect u(1) = exp(-1) +- 1e-6
// at t = 2 the speed jumps by 1: s' = -2 + v until s is 0 again
// expect slides = 2
// expect s(2) = 1 +- 1e-6
// expect s(4) = 0 +- 1e-8
// with v = v2 - 2 T and x = x2 + v2 T - T^2 after T
// expect u(2) = -2 +- 0
model SlideControl
  Real x(start = 1, fixed = true), v(start = -1, fixed = true), s, u;
equation
  s = v + x;
  u = if s > 0 then -2 else 2;
  der(x) = v;
  der(v) = u;
  when time >= 2 then
    reinit(v, pre(v) + 1);
  end when;
end SlideControl;
