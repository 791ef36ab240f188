model Under "after half a second one equation is left for two unknowns"
  Real x(start = 0, fixed = true), y, z;
equation
  der(x) = y;
  if time > 0.5 then
    y + z = 1;
  else
    y = 1;
    z = 2;
  end if;
end Under;
// run: --intervals 10
// expect exit 4
// expect error S101
// expect message in the mode: (`time > 0.5`)
// expect x(0.5-) = 0.5 +- 1e-9
