// floor and ceil of one variable: where it is a whole number one of them changes there and the other just after, in one event,
// whichever way it goes. (The second was undone in the same instant, and came back when the variable had left its band.)
// run: --stop 2 --intervals 4 --rtol 1e-8
// solvers: rk45 cvode ida rosenbrock euler
// expect low(0.5) = -1 +- 0
// expect high(0.5) = 0 +- 0
// expect low(1) = 0 +- 0
// expect high(1) = 1 +- 0
// expect low(1.5) = -1 +- 0
// expect high(1.5) = 0 +- 0
// expect low(2) = -2 +- 0
// expect high(2) = -1 +- 0
// expect part(0.5) = 0.65 +- 1e-6
// expect back(0.5) = -0.35 +- 1e-6
// up through -1 and 0, down through 0 and -1
// expect state_events = 4
// expect time_events = 1
model FloorCeil
  Real x(start = -1.6, fixed = true), part = mod(x, 1), back = rem(x, 1);
  Integer low = integer(floor(x)), high = integer(ceil(x));
equation
  der(x) = if time < 1 then 2.5 else -2.5;
end FloorCeil;
