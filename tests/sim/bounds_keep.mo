// Robertson's reactions, whose concentrations are declared not to be negative. With errors as large as the tolerance allows they
// become so, and then the solution leaves for minus infinity: CVODE went on to -4e7. Values of y1 are those of the examples of
// SUNDIALS.
// run: --rtol 1e-5 --stop 4e10 --intervals 1000
// solvers: auto rosenbrock cvode ida
// expect y1(4e7) = 5.2e-5 +- 2e-5
// expect y1(4e10) = 5.2e-8 +- 1e-6
// expect min(y1) >= -1e-6
// expect min(y2) >= -1e-9
// expect max(y3) <= 1.0001
// expect no R630
model BoundsKeep
  Real y1(min = 0, start = 1, fixed = true), y2(min = 0, start = 0, fixed = true), y3(min = 0, start = 0, fixed = true);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  der(y3) = 3e7*y2^2;
end BoundsKeep;
