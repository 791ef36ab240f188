// Dry friction under noEvent in a model whose structure changes: the motion chatters about v = 0 in tiny steps, and that is told.
// run: --stop 0.5 --rtol 1e-3
// solvers: auto rk45
// expect error R634 at 12
// expect message jump of `v > 0`
// expect v(0.3) = 0.3 + 0.25*0.3**2 - 0.3 +- 1e-3
// expect v(0.5) = 0 +- 1e-3
model JumpInMode
  parameter Real c = 1;
  Real v(start = 0.3, fixed = true), z(start = 1, fixed = true);
equation
  der(v) = 0.5*time - noEvent(if v > 0 then c else -c);
  if time < 0.4 then
    der(z) = -z;
  else
    z = 0.2 + v;
  end if;
end JumpInMode;
