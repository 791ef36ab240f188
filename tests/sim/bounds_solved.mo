// A parameter that the initialisation finds has bounds, too.
// expect exit 1
// expect error V005 at 6
// expect message `load` = -3 is less than its min = 0
model BoundsSolved
  parameter Real load(fixed = false, start = 1, min = 0);
  Real x(start = 3, fixed = true);
initial equation
  x + load = 0;
equation
  der(x) = -x;
end BoundsSolved;
