model StatesRedundant "two links that hold two masses at the same distance: the motion is determined, the share of each link is not"
  parameter Real d = 0.25, k = 1.7;
  Real s1(start = 0, fixed = true), s2, v1(start = 1, fixed = true), v2, f, g;
equation
  der(s1) = v1;
  der(s2) = v2;
  2*der(v1) = f + g + 1;
  3*der(v2) = -f - g;
  s2 = s1 + d;
  k*s2 - k*s1 = k*d;
  annotation(experiment(StopTime = 2));
end StatesRedundant;
// run: -p k=1.3
// expect error S107 at 10
// expect message says what others say
// expect s1(2) = 2 + 0.1*4 +- 1e-9
// expect s2(2) = 2.25 + 0.1*4 +- 1e-9
// expect v2(1) = 1.2 +- 1e-9
