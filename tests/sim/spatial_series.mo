// Jumps through two pipes in series, and out of a pipe that was at rest: each comes out as one event, also where it arrives at the end
// of a step. Everything is exact, as the flow is even.
// run: --stop 3 --intervals 6
// solvers: rk45 cvode ida rosenbrock rk4
// the jump at 0.3 leaves the first pipe at 1.3, and the second, which is twice as fast, at 1.8
// expect t_first(3) = 1.3 +- 1e-9
// expect t_second(3) = 1.8 +- 1e-9
// at rest until 1; what flows in jumps at 0.5
// expect rest(2.5) = 2 +- 0
// expect t_rest(3) = 2 +- 1e-9
// expect time_events = 3
// expect state_events = 3
model SpatialSeries
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), v = if time > 1 then 1 else 0, first, second, rest;
  discrete Real t_first(start = 0, fixed = true), t_second(start = 0, fixed = true), t_rest(start = 0, fixed = true);
equation
  der(x) = 1;
  (, first) = spatialDistribution(if time > 0.3 then 1 else 0, 0, x, true);
  (, second) = spatialDistribution(first, 0, 2*x, true);
  der(y) = v;
  (, rest) = spatialDistribution(if time > 0.5 then 2 else 1, 0, y, v >= 0);
  when first > 0.5 then
    t_first = time;
  end when;
  when second > 0.5 then
    t_second = time;
  end when;
  when rest > 1.5 then
    t_rest = time;
  end when;
end SpatialSeries;
