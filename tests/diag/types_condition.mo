model Valve
  Real p = time;
  Real q;
equation
  q = if p then sqrt(p) else 0;
end Valve;
// expect T301 at 5:10
