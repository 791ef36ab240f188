// delay (MLS 3.6 section 3.7.4.1): both sides of jumps, no delay at all, a delay that varies.
// run: --stop 4 --intervals 16 --rtol 1e-8
// solvers: rk45 cvode ida rosenbrock
// the value at the start until the delay has passed
// expect late(0.5) = 2 +- 1e-9
// a jump comes back sharp
// expect late(2-) = 3 +- 1e-7
// expect late(2) = 7 +- 1e-9
// expect late(2.5) = 7.5 +- 1e-7
// a delay of zero gives the value itself, also at a jump
// expect none(1-) = 3 +- 1e-9
// expect none(1) = 7 +- 1e-9
// expect none(2.5) = 8.5 +- 1e-9
// a delay that varies: sin(t - (0.5 + t/4))
// expect varying(0.5) = 0 +- 1e-9
// expect varying(2) = sin(1) +- 1e-6
// expect varying(4) = sin(2.5) +- 1e-6
// a delayed jump is an event that others see: the when fires in the same instant
// expect t_seen(4) = 2 +- 0
// a state event that comes back
// expect t_crossed(4) = 2.25 +- 1e-9
// expect t_back(4) = 3 +- 1e-8
model RulesDelay
  Real x(start = 2, fixed = true), late = delay(x, 1), none = delay(x, 0), varying = delay(sin(time), 0.5 + time/4, 1.5), y = if x > 8.25 then 1 else 0;
  discrete Real t_seen(start = 0, fixed = true), t_crossed(start = 0, fixed = true), t_back(start = 0, fixed = true);
equation
  der(x) = 1;
  when time >= 1 then
    reinit(x, 7);
  end when;
  when late > 5 then
    t_seen = time;
  end when;
  when y > 0.5 then
    t_crossed = time;
  end when;
  when delay(y, 0.75) > 0.5 then
    t_back = time;
  end when;
end RulesDelay;
