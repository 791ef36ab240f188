// From the event at 0.24 steps of an output interval, which the relation of x does not let be longer, lead to a rounding before the
// event at 0.44, and a step of one rounding there. What comes out of the delay just before that point is as exact as elsewhere.
// run: --stop 1 --intervals 10 --rtol 1e-9
// solvers: rk45 rosenbrock
// expect y(#3-) = sin(3*0.4387) +- 1e-9
// expect y(0.6) = sin(3*0.2) +- 1e-9
// expect y(0.9) = sin(3*0.5) +- 1e-9
// expect y(1) = sin(3*0.6) +- 1e-9
// expect events = 3
model DelayShortStep
  Real x(start = 0, fixed = true), y = delay(sin(3*time), 0.4);
  Boolean far = x > 5 + y;
equation
  der(x) = if time > 0.8387 then 4 else if time > 0.44 then 3 else if time > 0.24 then 2 else 1;
end DelayShortStep;
