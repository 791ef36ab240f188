model Pulse
  parameter Real m = 2;
  Real p;
equation
  p = impulse(m);
end Pulse;
// expect D404 at 5:7
