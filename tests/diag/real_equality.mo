model Hit
  Real x = 2*time;
  Boolean hit = x == 1.0;
end Hit;
// expect T306 at 3:17
