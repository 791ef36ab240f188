model Twice "two switches that say the same"
  Real x(start = 0, fixed = true), y(start = 1, fixed = true), F, G;
equation
  der(x) = F + G;
  der(y) = -F - G;
  if time > 0.5 then
    x = y;
  else
    F = 0;
  end if;
  if time > 0.5 then
    2*x = 2*y;
  else
    G = 0;
  end if;
end Twice;
// run: --intervals 10
// expect exit 4
// expect error S107 at 12
// expect error R621 at 4
// expect message nothing determines `F`, `G`
// expect message in the mode: (`time > 0.5`)
// expect y(0.5-) = 1 +- 1e-9
