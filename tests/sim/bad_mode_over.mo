model Over "after half a second there are more equations than unknowns"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), F;
equation
  der(x) = 1 + F;
  der(y) = 2;
  if time > 0.5 then
    x = y;
    y = 2*time;
  else
    F = 0;
  end if;
end Over;
// run: --intervals 10
// expect exit 4
// expect error S103 at 8
// expect message in the mode: (`time > 0.5`)
// expect x(0.5-) = 0.5 +- 1e-9
