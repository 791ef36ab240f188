// MLS 3.6 section 8.3.5: a when becomes active when its condition becomes true; not at the start if it is true already; a vector
// of conditions fires at the edge of each of them, a disjunction only at its own; elsewhen is taken only if no earlier branch is.
// run: --stop 5 --intervals 10
// expect already(5) = 0 +- 0
// expect either(5) = 2 +- 0
// expect disjunction(5) = 1 +- 0
// expect first(5) = 1 +- 0
// expect second(5) = 1 +- 0
// expect changes(5) = 2 +- 0
model WhenEdges
  Boolean a = time >= 1 and time < 4, b = time >= 2;
  Integer already(start = 0, fixed = true), either(start = 0, fixed = true), disjunction(start = 0, fixed = true);
  Integer first(start = 0, fixed = true), second(start = 0, fixed = true), changes(start = 0, fixed = true);
equation
  when time >= 0 then
    already = pre(already) + 1;
  end when;
  when {a, b} then
    either = pre(either) + 1;
  end when;
  when a or b then
    disjunction = pre(disjunction) + 1;
  end when;
  when time >= 3 then
    first = pre(first) + 1;
    second = pre(second);
  elsewhen {time >= 3, time >= 3.5} then
    first = pre(first);
    second = pre(second) + 1;
  end when;
  when change(a) then
    changes = pre(changes) + 1;
  end when;
end WhenEdges;
