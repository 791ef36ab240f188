// spatialDistribution in a ring, at a speed that varies: what leaves comes in again, so the distribution only turns round. A jump in
// it stays as sharp as it was. What is inside does not change: the content of a pipe is what flowed in less what flowed out.
// run: --stop 3 --intervals 12 --rtol 1e-8
// solvers: rk45 cvode ida rosenbrock
// expect time(#1) = 0.58162762 +- 2e-7
// expect b(#1-) = -1 +- 1e-9
// expect b(#1) = 3 +- 1e-9
// expect b(#3-) = -1 +- 1e-9
// expect b(#3) = 3 +- 1e-9
// expect max(m) <= 1e-12
// expect min(m) >= -1e-12
// the pipe: content 1.1 at the start, all of it replaced by 2 after a way of 1
// expect content(3) = 2 +- 1e-6
// expect state_events = 4
model SpatialRing
  Real x(start = 0, fixed = true), v = 1 + 0.3*sin(5*time), a, b, m(start = 0, fixed = true);
  Real content(start = 1.1, fixed = true), first, last;
equation
  der(x) = v;
  (a, b) = spatialDistribution(b, a, x, v >= 0, {0, 0.3, 0.3, 1}, {0, 3, -1, 0});
  der(m) = v*(b - a);
  (first, last) = spatialDistribution(2, 0, x, true, {0, 0.25, 1}, {0, 1.6, 0.8});
  der(content) = v*(first - last);
end SpatialRing;
