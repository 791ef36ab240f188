// Points of an initial distribution are known when the parameters are: they lie between 0 and 1, in order.
// expect exit 3
// expect message must not descend
model SpatialPoints
  parameter Real p = 0.7;
  Real a, b;
equation
  (a, b) = spatialDistribution(1, 2, time, true, {0, p, 0.6, 1}, {0, 0, 0, 0});
end SpatialPoints;
