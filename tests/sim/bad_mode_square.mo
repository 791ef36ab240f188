model Square "the heat of a current that is a pulse"
  Real u1(start = 10, fixed = true), u2(start = 2, fixed = true), i, heat(start = 0, fixed = true), power;
equation
  der(u1) = -i;
  3*der(u2) = i;
  power = i^2;
  der(heat) = power;
  if time > 0.5 then
    u1 = u2;
  else
    i = 0;
  end if;
end Square;
// run: --intervals 10
// expect exit 4
// expect error R621
// expect message `power` is a nonlinear function of a Dirac pulse
// expect message in the mode: (`time > 0.5`)
// expect u1(0.5-) = 10 +- 1e-9
