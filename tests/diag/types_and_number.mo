model Logic
  Real u = time;
  Boolean b = u and time > 1;
end Logic;
// expect T301 at 3:15
