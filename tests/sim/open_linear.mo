model OpenLinear "two equations that say the same: the sum is determined, the difference stays as it was"
  parameter Real k = 3;
  Real p(start = 1), q(start = 0), z(start = 0, fixed = true);
equation
  p + q = 2 + time;
  k*p + k*q = 2*k + k*time;
  der(z) = p;
  annotation(experiment(StopTime = 2));
end OpenLinear;
// expect error R624 at 6
// expect message they do not determine `p`, `q`
// expect p(2) = 2.5 +- 1e-9
// expect q(2) = 1.5 +- 1e-9
// expect z(2) = 1.5*2 + 0.25*4 +- 1e-9
