model Missing "one equation short in every mode; u is left out in one"
  Real x(start = 0, fixed = true), u, z;
equation
  if x < 1 then
    u = time;
    der(x) = u + z;
  else
    der(x) = z;
  end if;
end Missing;
// expect S105 at 4:3
// expect S101 at 2:8
