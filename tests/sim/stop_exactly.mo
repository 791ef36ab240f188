// What would happen exactly at the stop time does not happen, of whatever kind it is; terminal() does.
// run: --stop 1.2 --intervals 12
// solvers: auto rk45 cvode ida rosenbrock rk4
// expect n(1.2) = 3 +- 0
// expect m(1.2) = 0 +- 0
// expect k(1.2) = 0 +- 0
// expect j(1.2) = 1 +- 0
// expect w(1.2) = 1 +- 0
// expect low(1.2) = 1 +- 0
// expect state_events = 1
// expect time_events = 3
model StopExactly
  Real x(start = 0, fixed = true), y(start = 0.5, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true), j(start = 0, fixed = true), w(start = 0, fixed = true);
  Boolean low = x < 1.2;
equation
  der(x) = 1;
  der(y) = 1;
  when sample(0, 0.4) then
    n = pre(n) + 1;
  end when;
  when time >= 1.2 then
    m = pre(m) + 1;
  end when;
  when {sin(time - 1.2) >= 0, not low} then
    k = pre(k) + 1;
  end when;
  when y > 0.7 then
    j = pre(j) + 1;
  end when;
  when terminal() then
    w = pre(w) + 1;
  end when;
end StopExactly;
