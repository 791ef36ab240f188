// An event that is due at the start, after the initialisation: time > 0 becomes true there.
// run: --stop 1
// instants: 0, 0.5
model Begin
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  Boolean up;
equation
  up = time > 0;
  der(x) = if up then 1 else 0;
  when x > 0.5 then
    n = pre(n) + 1;
  end when;
end Begin;
