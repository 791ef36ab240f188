// Results of spatialDistribution: both, one of them, in vectors, in an algorithm.
model Spatial
  parameter Real at = 0.5;
  Real x(start = 0, fixed = true), a, b, c, d[2], e[2], f, g;
equation
  der(x) = 1;
  (a, b) = spatialDistribution(time, 0, x, der(x) >= 0, {0, at, 1}, {1, 2, 3});
  c = 2*spatialDistribution(time, 0, -x, false);
  (d, e) = spatialDistribution({time, a}, {0, 1}, x, positiveVelocity = true, initialValues = [5, 6; 7, 8], initialPoints = {0, 1});
algorithm
  (f, g) := spatialDistribution(time, -time, x, true);
end Spatial;
