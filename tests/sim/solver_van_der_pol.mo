// A stiff relaxation oscillation, mu = 1000, the solver chosen by the program; values of problem VDPOL in the Test Set for
// Initial Value Problem Solvers (Mazzia and Magherini), time in units of mu.
// run: --rtol 1e-8
// expect x(2) = 1.706167732170483 +- 2e-5
// expect v(2) = -0.8928097010247975 +- 2e-5
// expect steps <= 20000
model SolverVanDerPol
  parameter Real mu = 1000;
  Real x(start = 2, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = mu^2*((1 - x^2)*v - x);
  annotation(experiment(StopTime = 2));
end SolverVanDerPol;
