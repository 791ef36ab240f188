// Conditions of nothing but pre() of a continuous variable make no event.
// expect D406 at 16:3
// says: `pre(x) > 0.5` makes no event: pre(x) changes at events only, and nothing else here makes one
// expect D406 at 17:3
// expect D406 at 20:3
// expect D406 at 25:3
// expect D406 at 32:3
model PreNoEvent
  parameter Real limit = 2;
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), y, z;
  Boolean high, both, was(start = false, fixed = true), safe;
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(x) = 1;
  der(v) = -1;
  when pre(x) > 0.5 then n = pre(n) + 1; end when;
  y = if 2*pre(x) >= limit or pre(v) < 0 and pre(high) then 1 else time;
  both = x > 0.3 and pre(v) > 0;
  was = pre(was) or n > 3;
  if pre(v) > 0 then
    z = 1;
  else
    z = 2;
  end if;
  high = pre(x) + limit > 3;
  when time > 0.5 then
    m = if pre(x) > 0 then 1 else 2;
  end when;
  safe = noEvent(pre(x) > 0);
  assert(pre(x) > -5, "far off");
algorithm
  when pre(x) > 0.7 and not pre(high) then
    assert(true, "");
  end when;
end PreNoEvent;
