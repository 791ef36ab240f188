// A stiff circuit with an exponential diode inside of an implicit equation; all solvers must find the same, here the program
// chooses. The stationary current solves (10 - v)/1e3 = 1e-12*(exp(v/0.025) - 1).
// run: --rtol 1e-8
// expect v(1e-3) = 0.5741679960692395 +- 2e-6
model SolverDiode
  Real v(start = 0, fixed = true), i;
equation
  1e-9*der(v) = (10 - v)/1e3 - i;
  i = 1e-12*(exp(v/0.025) - 1);
  annotation(experiment(StopTime = 1e-3));
end SolverDiode;
