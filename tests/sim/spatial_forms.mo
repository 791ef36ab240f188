// Forms of spatialDistribution: vectors with a distribution each, named arguments, one result, no states, a flow that rests while
// what flows in changes, a place that jumps, a direction without events, an algorithm.
// run: --stop 3 --intervals 24 --rtol 1e-8
// solvers: rk45 cvode rosenbrock
// vectors: initial values 5 .. 6 and 7 .. 8, x = 4*time
// expect o1[1](0.125) = 5.5 +- 1e-9
// expect o1[2](0.125) = 7.5 +- 1e-9
// expect o1[1](0.25-) = 5 +- 1e-9
// expect o1[1](0.25) = 0 +- 1e-9
// expect o1[2](1) = 1.5 +- 1e-9
// expect o0[2](1) = 2 +- 0
// the first result alone, flowing backwards; initial distribution 0
// expect p(0.875) = 0 +- 0
// expect p(2.5) = 1.5 +- 1e-9
// at rest from 1 to 2: what entered at 1 and at 2 lie side by side, and come out at 3
// expect r(2) = 0 +- 1e-8
// expect r(2.5) = 0.5 +- 1e-8
// expect r(2.875) = 0.875 +- 1e-8
// expect t_rest(3) = 2.875 +- 1e-12
// the place jumps by 0.5 at 0.25: over the jump of the initial distribution, and the gap is a straight line
// expect j(0.25-) = 2 +- 0
// expect j(0.25) = 1 +- 0
// expect j(0.5-) = 1 +- 1e-9
// expect j(0.5) = 10 +- 1e-9
// expect j(0.75) = 10.25 +- 1e-8
// expect j(1.125) = 10.25 +- 1e-8
// expect j(2) = 11 +- 1e-8
// a direction inside noEvent
// expect q0(2) = pi - 2 +- 1e-3
// expect c(2.5) = 3 +- 1e-8
model SpatialForms
  Real o0[2], o1[2], p, xr(start = 0, fixed = true), r, xj(start = 0, fixed = true), j, xq(start = 0, fixed = true), q0, q1, c0, c;
  Real vr = if rest then 0 else 1, vq = cos(time);
  Boolean rest = time >= 1 and time < 2;
  discrete Real t_rest(start = 0, fixed = true);
equation
  (o0, o1) = spatialDistribution(in0 = {time, 2*time}, in1 = {0, 1}, positiveVelocity = true, x = 4*time, initialPoints = {0, 1},
    initialValues = [5, 6; 7, 8]);
  p = spatialDistribution(1, time, -time, false);
  der(xr) = vr;
  (, r) = spatialDistribution(time, 0, xr, vr >= 0);
  when r > 0.875 then
    t_rest = time;
  end when;
  der(xj) = 1;
  when time >= 0.25 then
    reinit(xj, xj + 0.5);
  end when;
  (, j) = spatialDistribution(10 + time, 0, xj, true, {0, 0.5, 0.5, 1}, {1, 1, 2, 2});
  der(xq) = vq;
  (q0, q1) = spatialDistribution(time, -time, xq, noEvent(vq >= 0));
algorithm
  (c0, c) := spatialDistribution(time, -time, xr, true);
  c := c + 2.5;
end SpatialForms;
