// Two parts: the row after an event of one of them at a point of the grid has the other one as it is there, not as it is at the end
// of its own step.
// run: --stop 5 --intervals 10
// solvers: rk45 cvode
// expect x(1-) = -1.5 +- 1e-6
// expect x(1) = -1.5 +- 1e-6
// expect x(2) = -0.5 +- 1e-6
// expect k(2) = 4 +- 0
model PartsGrid
  Real x(start = -2.5, fixed = true);
  Integer i = integer(x), k = integer(2*time);
equation
  der(x) = 1;
end PartsGrid;
