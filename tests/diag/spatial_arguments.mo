model SpatialArguments
  Real a, b, v = 1, c[2], d[2], y;
  function f input Real x; output Real y;
  algorithm
    y := spatialDistribution(x, 0, x, true);
  end f;
equation
  (a, b) = spatialDistribution(time, 0, time, v);
  (a, b) = spatialDistribution(time, 0, time);
  (a, b) = spatialDistribution(time, 0, time, true, {0, 0.5, 1});
  (a, b) = spatialDistribution(time, 0, time, true, {0, time}, {0, 1});
  (c, d) = spatialDistribution({1, 2}, {1, 2, 3}, time, true);
  (c, d) = spatialDistribution({1, 2}, {1, 2}, time, true, initialPoints = [0, 1], initialValues = [0, 1]);
  (a, b) = spatialDistribution(time, 0, time, true, points = {0, 1});
  y = f(time);
end SpatialArguments;
// expect T304 at 8:47
// expect T304 at 9:12
// expect T302 at 10:12
// expect V001 at 11:53
// expect T302 at 12:40
// expect T304 at 13:60
// expect T304 at 14:53
// expect D404 at 5:10
