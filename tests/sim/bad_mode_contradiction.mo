model Contradiction "two switches that contradict each other"
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
    x = y + 1;
  else
    G = 0;
  end if;
end Contradiction;
// run: --intervals 10
// expect exit 4
// expect error S108 at 12
// expect message in the mode: (`time > 0.5`)
// expect y(0.5-) = 1 +- 1e-9
