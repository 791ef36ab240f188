// Three reactions with rates from 4e-2 to 3e7 over 1e11 seconds; values of problem ROBER in the Test Set for Initial Value
// Problem Solvers (Mazzia and Magherini).
// run: --rtol 1e-8 --atol 1e-18 --intervals 20
// expect x(1e11) = 0.2083340149701255e-07 +- 1e-11
// expect y(1e11) = 0.8333360770334713e-13 +- 1e-16
// expect z(1e11) = 0.9999999791665050 +- 1e-7
// expect steps <= 6000
model SolverRobertson
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = -0.04*x + 1e4*y*z;
  der(y) = 0.04*x - 1e4*y*z - 3e7*y^2;
  der(z) = 3e7*y^2;
  annotation(experiment(StopTime = 1e11));
end SolverRobertson;
