// Eigenvalues -1 and -1e6; the fast part dies at once, the slow one is exp(-t).
// run: --solver cvode --rtol 1e-8
// expect a(1) = 2*exp(-1) +- 1e-6
// expect b(1) = -exp(-1) +- 1e-6
// expect steps <= 2000
model SolverStiffLinear
  Real a(start = 1, fixed = true), b(start = 0, fixed = true);
equation
  der(a) = 999998*a + 1999998*b;
  der(b) = -999999*a - 1999999*b;
end SolverStiffLinear;
