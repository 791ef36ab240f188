// A relay whose two fields lead to its switching surface: the motion slides there, with one event.
// run: --stop 10
// solvers: auto rk45 rkf45 rk4 euler rosenbrock cvode ida
// expect x(1) = 0.5 +- 1e-12
// expect x(2) = 0 +- 1e-12
// expect x(10) = 0 +- 1e-12
// 3/4 of the time on the positive side, 1/4 on the other
// expect u(5) = 0 +- 1e-12
// expect level(5) = 0.75*2 + 0.25*8 +- 1e-9
// expect events = 1
// expect slides = 1
// expect mode_changes = 1
model SlideRelay
  Real x(start = 1, fixed = true), u, copy;
  Real level;
equation
  u = if x > 0 then -0.5 else 1.5;
  level = if x > 0 then 2 else 8;
  copy = level;
  der(x) = u;
end SlideRelay;
