model NotFinite "a mass that is no number in the mode"
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), i, c;
equation
  c = if time > 0.5 then log(0.4 - time) else 1;
  c*der(a) = -i;
  der(b) = i;
  if time > 0.5 then
    a = b;
  else
    i = 0;
  end if;
end NotFinite;
// run: --intervals 10
// expect exit 4
// expect error R621
// expect message not finite
// expect message in the mode: (`time > 0.5`)
// expect a(0.5-) = 1 +- 1e-9
