// Many events in a short part of a long run are no accumulation: 1500 scheduled ones in 3 ms, 1400 of a state in 9.7 s; then nothing for years.
// run: --stop 1e9
// solvers: rk45 cvode ida rosenbrock
// expect n(1e9) = 1500 +- 0
// expect m(1e9) = 1400 +- 0
// expect time_events = 1500
// expect state_events = 1400
model EventBursts
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  discrete Real next(start = 2e-6, fixed = true);
  Real x(start = 1, fixed = true);
equation
  when time >= pre(next) then
    n = pre(n) + 1;
    next = if n < 1500 then time + 2e-6 else 1e12;
  end when;
  der(x) = if m < 1400 then -100*x else 0;
  when x < 0.5 then
    reinit(x, 1);
    m = pre(m) + 1;
  end when;
end EventBursts;
