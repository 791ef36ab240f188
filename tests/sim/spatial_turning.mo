// MLS 3.6 section 3.7.4.2: z is constant where x - (the way of the flow) is, so what comes out is what entered when the way was x - 1
// (or x, at the other end). With x = 2 sin(t) the flow turns at pi/2 and 3*pi/2; in0 jumps at 0.2.
// run: --stop 7 --intervals 70 --rtol 1e-8
// solvers: rk45 rkf45 cvode ida rosenbrock
// the initial distribution leaves first
// expect out1(0.4) = 1 - 2*sin(0.4) +- 1e-7
// what enters is what stands there
// expect out0(0.4) = 6.4 +- 1e-12
// then what entered
// expect out1(0.7) = 1 + asin(sin(0.7) - 0.5) +- 1e-6
// expect out1(1) = 6 + asin(sin(1) - 0.5) +- 1e-6
// and after the flow has turned it comes back
// expect out0(2) = 6 + pi - 2 +- 1e-6
// expect out0(2.5) = 6 + pi - 2.5 +- 1e-6
// expect out1(2) = -2 +- 1e-12
// expect out0(3) = -(pi - asin(sin(3) + 0.5)) +- 1e-6
// expect out1(5) = -(3*pi - 5) +- 1e-6
// expect out1(6.5) = 6 + 2*pi + asin(sin(6.5) - 0.5) +- 1e-6
// jumps arrive as events: the end of the initial distribution, that of in0, and what entered when the flow turned
// expect time(#2) = asin(0.5) +- 2e-7
// expect time(#3) = asin(0.5 + sin(0.2)) +- 2e-7
// expect time(#4) = pi/2 +- 1e-7
// expect time(#5) = pi - asin(0.5) +- 2e-7
// expect time(#7) = 2*pi - asin(0.5) +- 2e-7
// expect out1(#3-) = 1.2 +- 1e-6
// expect out1(#3) = 6.2 +- 1e-6
// expect out0(#5-) = 6 + asin(0.5) +- 1e-6
// expect out0(#5) = -pi/2 +- 1e-5
// expect state_events = 6
// expect time_events = 1
model SpatialTurning
  Real x(start = 0, fixed = true), v = 2*cos(time), in0, in1, out0, out1;
  discrete Real w(start = 0, fixed = true);
equation
  der(x) = v;
  in0 = 1 + time + w;
  in1 = -time;
  when time >= 0.2 then
    w = 5;
  end when;
  (out0, out1) = spatialDistribution(in0, in1, x, v >= 0, {0, 1}, {0, 1});
end SpatialTurning;
