// A ball that has come to rest is pushed against the floor twice: it bounces a little and rests again, though the bounces before its
// first rest were too low to be told from it.
// run: --stop 5
// solvers: rk45 rosenbrock cvode ida
// expect h(5) = 3 +- 1e-6
// expect v(5) = 0 +- 1e-6
// expect N(2) = 7 +- 1e-6
// expect N(5) = 7 +- 1e-6
// expect min(h) >= 2.99999
// expect kicks(5) = 2 +- 0
model RestKicked
  parameter Real e = 0.08;
  Real h(start = 3.8, fixed = true), v(start = 0, fixed = true), N;
  Integer kicks(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -7;
  N = der(v) + 7;
  when h <= 3 then
    reinit(v, -e*pre(v));
  elsewhen {time > 2.5, time > 3.5} then
    reinit(v, pre(v) - 0.0015);
  end when;
  when {time > 2.5, time > 3.5} then
    kicks = pre(kicks) + 1;
  end when;
end RestKicked;
