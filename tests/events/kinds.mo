// Two events at one instant: x meets its limit where something is scheduled; f rests on its limit until an event moves it.
// instants: 0.5, 0.75
// run: --stop 1
model Kinds
  Real x(start = 0, fixed = true), f(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  Boolean half, pushed, moving;
equation
  der(x) = 1;
  half = x > 0.5;
  when sample(0.5, 1) then
    n = pre(n) + 1;
  end when;
  pushed = x >= 0.75;
  der(f) = if pushed then 1 else 0;
  moving = f > 0;
  when moving then
    m = pre(m) + 1;
  end when;
end Kinds;
