// At a whole number all functions of steps change in one instant, also those that change only behind it (MLS 3.6 section 3.7.1): up to
// 4.5 and down again there is one event at each whole number.
// run: --stop 5 --intervals 10
// solvers: auto rk45 cvode ida rosenbrock euler
// expect state_events = 5
// expect time(#1) = 0.5 +- 1e-9
// expect c(#1) = 4 +- 0
// expect f(#1) = 3 +- 0
// expect d(#1) = 3 +- 0
// expect c(1) = 4 +- 0
// expect c(3) = 4 +- 0
// expect f(3) = 3 +- 0
// expect d(3) = 3 +- 0
// expect k(3) = 3 +- 0
// expect c(5) = 2 +- 0
// expect d(5) = 1 +- 0
model StepInstants
  Real x(start = 2.5, fixed = true), c = ceil(x), f = floor(x), d = div(x, 1), m = mod(x, 1);
  Integer k = integer(x);
equation
  der(x) = if time < 2 then 1 else -1;
end StepInstants;
