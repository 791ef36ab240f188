model Modes "conditions of parameters are decided, others stay; nested if, elseif, if-expressions of arrays"
  parameter Boolean linear = true;
  parameter Integer order = 2;
  Real u = sin(time);
  Real y, z;
  Real v[2] = if u > 0 then {u, 1} else {0, 2};
equation
  if linear then
    y = 2*u;
  else
    y = u^2;
  end if;
  if u > 0.5 then
    z = 1;
  elseif order == 2 and u < -0.5 then
    z = -1;
  elseif order == 3 then
    z = 7;
  else
    if y > 0 then
      z = y;
    else
      z = 0;
    end if;
  end if;
end Modes;
