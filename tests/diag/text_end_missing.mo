model Pump
  Real q;
equation
  if time > 1 then
    q = 1;
  else
    q = 0;
end Pump;
// expect P010 at 8:5
