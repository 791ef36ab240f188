// Instants behind variables: T follows from parameters, and so the relations of time are events in time, met exactly; so is one
// with a variable that only changes at events.
// run: --stop 5 --rtol 1e-6 --intervals 5
// expect y(2.5-) = 1 +- 0
// expect y(2.5) = 2 +- 0
// expect t_late(5) = 4 +- 0
// expect x(5) = 5 +- 1e-12
// expect state_events = 0
// expect time_events = 3
model SteadyInstant
  parameter Real a = 4;
  Real root, T = root + offset, offset = a/8, x(start = 0, fixed = true), y = if time < T then 1 else 2, last;
  discrete Real t_sample(start = 10, fixed = true), t_late(start = 0, fixed = true);
equation
  root = sqrt(a);
  der(x) = 1;
  last = t_sample + 1;
  when sample(3, 10) then
    t_sample = time;
  end when;
  when time >= last then
    t_late = time;
  end when;
end SteadyInstant;
