// A mass is put elsewhere: the force would be the derivative of a Dirac pulse.
// run: --stop 2
// expect exit 4
// expect error R621
// expect message infinite energy
// expect x(0.4) = 0.1 +- 1e-12
model MovedPosition
  Real x(start = 0.1, fixed = true), v(start = 0, fixed = true), F;
equation
  der(x) = v;
  der(v) = F;
  if time < 0.5 then
    F = 0;
  else
    x = 0;
  end if;
end MovedPosition;
