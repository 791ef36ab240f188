model Valve
  Real p;
  Real q;
equation
  if time > 1 then
    p = 1;
    q = 2;
  else
    p = q;
  end if;
end Valve;
// expect S105 at 5:3
// expect S101 at 2:8
