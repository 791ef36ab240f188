// A sampled controller with two rates; both tick at 0.4, and at the start.
// run: --stop 0.5
// instants: 0, 0.2, 0.4
model Sampled
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
  discrete Integer ticks(start = 0, fixed = true);
equation
  der(x) = u;
  when sample(0, 0.2) then
    u = if pre(ticks) == 1 then -1 else 0;
  end when;
  when sample(0, 0.4) then
    ticks = pre(ticks) + 1;
  end when;
end Sampled;
