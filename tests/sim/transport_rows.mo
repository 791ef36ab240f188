// What enters a pipe is recorded as finely as its accuracy needs, however few rows are asked for: with one row the steps are long.
// run: --stop 1.9 --rtol 1e-9 --intervals 1
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect o(1.9) = sin(1.537*(1.9 - 1/1.3) + 2.336) +- 3e-9
// expect z(1.9) = 0.4/1.3 + (cos(2.336) - cos(1.537*(1.9 - 1/1.3) + 2.336))/1.537 +- 2e-8
model TransportRows
  Real left, o, z(start = 0, fixed = true);
equation
  (left, o) = spatialDistribution(sin(1.537*time + 2.336), 0, 1.3*time, true, {0, 1}, {0.4, 0.4});
  der(z) = o;
end TransportRows;
