// Two steps of Euler's method by hand: x = 1, 1 - 0.25, 0.75^2.
// run: --solver euler --solver-step 0.25 --stop 0.5 --intervals 2
// expect x(0.25) = 0.75 +- 1e-15
// expect x(0.5) = 0.5625 +- 1e-15
// expect steps = 2
model SolverFixedStep
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end SolverFixedStep;
