// expect exit 4
// expect error R607 at 6
// expect message the last pass changed `n` from
// expect n(0.5-) = 0 +- 0
model BadWhen
  Integer n(start = 0, fixed = true);
algorithm
  when time > 0.5 then
    n := 1;
  end when;
  if n > 0 then
    n := pre(n) + 1;
  end if;
end BadWhen;
