// Far from 0 time is coarse: at 3e10 s in units of 3.8e-6 s. The last bounces that can be told are found so deep in the floor, or so
// irregular, that the ball must be at rest for other reasons than the ratio of their times.
// run: --start 30000000000 --stop 30000000004
// solvers: rk45 rosenbrock cvode ida
// expect h(30000000004) = -2 +- 1e-6
// expect v(30000000004) = 0 +- 1e-6
// expect min(h) >= -2.001
// expect contacts = 1
model RestLate
  Real h(start = -1.3, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -6;
  when h <= -2 then
    reinit(v, -0.55*pre(v));
  end when;
end RestLate;
