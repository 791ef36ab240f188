// x > 0.5 matters in mode 2 only, x < -0.5 in mode 1 only: all other crossings make no event.
// run: --stop 10 --rtol 1e-8
// expect state_events = 3
// expect time_events = 1
// expect mode(1) = 1 +- 0
// expect mode(4.5) = 2 +- 0
// expect n(10) = 1 +- 0
model GuardedRelation
  Real x = sin(time);
  Integer mode(start = 1, fixed = true), n(start = 0, fixed = true);
  Boolean late = time >= 9;
equation
  mode = if pre(mode) == 1 and x < -0.5 then 2 elseif pre(mode) == 2 and x > 0.5 then 3 else pre(mode);
  when late and x < 0.3 or mode == 3 then
    n = pre(n) + 1;
  end when;
end GuardedRelation;
