// Time events: one at a parameter, one that sets the instant of its successor.
// run: --stop 1
// instants: 0.25, 0.3, 0.6, 0.9
model Clock
  parameter Real t0 = 0.25;
  discrete Real next(start = 0.3, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = if time < t0 then 1 else 2;
  when time >= pre(next) then
    next = pre(next) + 0.3;
  end when;
end Clock;
