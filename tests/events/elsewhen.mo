// Two conditions become true in one instant: only the first branch is taken; the third one has its own instant.
// run: --stop 2
// instants: 0.5, 1, 1.5
model Elsewhen
  Real x(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = if time < 1 then 1 else -1;
  when x >= 0.5 then
    n = 1;
  elsewhen 2*x >= 1 then
    n = 2;
  elsewhen x < 0.5 then
    n = 3;
  end when;
end Elsewhen;
