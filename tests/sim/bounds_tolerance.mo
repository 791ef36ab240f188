// What roundings and the error of the solver explain is no violation, nor is what a mode says nothing about; `off` looks at nothing.
// solvers: rk45 ida cvode rosenbrock
// expect exit 0
// expect no R630
// expect x(4) = 1e5*exp(-4) +- 10
model BoundsTolerance
  parameter Real p(max = 0.3) = 0.1 + 0.2, over = 1e4/3, third(max = over) = 1e4*(1/3);
  Real x(start = 1e5, fixed = true, max = 1e5), decay(start = 1, fixed = true, min = 0);
  Real circle(max = 1) = sqrt(sin(7*time)^2 + cos(7*time)^2);
  Real held(min = 1, start = 2);
equation
  der(x) = -x;
  der(decay) = -50*decay;
  if time > 2 then
    held = 1 + time;
  end if;
  annotation(experiment(StopTime = 4));
end BoundsTolerance;
