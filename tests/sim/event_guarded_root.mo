// What a relation guards may end where the relation changes: no step leads beyond, and the event is there (MLS 3.6 section 8.5: without
// noEvent the branch that held is evaluated up to the event).
// solvers: auto rk45 cvode ida rosenbrock
// expect h(1) = (1 - 1/2)**2 +- 1e-5
// expect h(3) = 0 +- 1e-6
// expect h(5) = 0 +- 1e-6
// expect y(5) = log(1e-3) +- 1e-6
// expect w(1.5) = -0.5 +- 1e-6
model EventGuardedRoot
  Real h(start = 1, fixed = true) "of a tank that runs empty at time 2";
  Real x(start = 1, fixed = true), y "a logarithm with a floor", w;
equation
  der(h) = if h > 0 then -sqrt(h) else 0;
  der(x) = -1;
  y = if x > 1e-3 then log(x) else log(1e-3);
  w = if x >= 0 then sqrt(x) else x;
  annotation(experiment(StopTime = 5));
end EventGuardedRoot;
