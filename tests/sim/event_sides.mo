// MLS 3.6 section 8.5: a relation has its value of the last event; the event is where it holds, so that the value at the event is
// that of the new side. noEvent is literal. Time events are met exactly, without search. sample() is true in the first pass only.
// run: --stop 2 --intervals 8 --rtol 1e-9
// expect y(1-) = -1 +- 0
// expect y(1) = 1 +- 0
// expect jumps(2) = 1 +- 0
// expect passes(2) = 4 +- 0
// expect crossing(2) = sqrt(2) +- 1e-9
// expect state_events = 1
// expect z(2) = 2 +- 0
model EventSides
  Real x(start = 0, fixed = true), y = if time < 1 then -1 else 1, z = if noEvent(x > 1) then 2 else 3;
  discrete Real crossing(start = 0, fixed = true);
  Integer jumps(start = 0, fixed = true), passes(start = 0, fixed = true);
equation
  der(x) = time;
  when x > 1 then
    crossing = time;
  end when;
  when y > 0 then
    jumps = pre(jumps) + 1;
  end when;
  when sample(0, 0.5) then
    passes = pre(passes) + 1;
  end when;
end EventSides;
