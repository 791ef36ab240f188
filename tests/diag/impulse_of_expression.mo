model Pulse
  Real x = time;
  Real p[2];
equation
  p[1] = impulse(2*x);
  p[2] = 0;
end Pulse;
// expect D404 at 5:10
