// Dry friction with three branches under noEvent, alone and against a force: u = v - 2 t until 1, then 0; w sticks until the
// force is as large as the friction, at pi/6, and slips again.
// run: --stop 1.5
// solvers: auto rk45 rosenbrock
// expect v(0.5) = 1 +- 1e-6
// expect v(1.5) = 0 +- 1e-8
// expect u(1.5) = 0.5*exp(-1.5) +- 1e-6
// expect w(0.4) = 0 +- 1e-8
// expect w(1.5) = 2*(cos(pi/6)-cos(1.5)) - (1.5-pi/6) +- 1e-5
// expect steps <= 4000
// expect no R634
model QuietThree
  Real v(start = 2, fixed = true), u(start = 0.5, fixed = true), w(start = 0.01, fixed = true);
equation
  der(v) = -2*(if noEvent(v > 0) then 1 elseif noEvent(v < 0) then -1 else 0);
  der(u) = -u;
  der(w) = 2*sin(time) - noEvent(if w > 0 then 1 else if w < 0 then -1 else 0);
end QuietThree;
