model Line
  Real u = time;
  Real y = spatialDistribution(u, 0, time, true);
end Line;
// expect X001 at 3:12
