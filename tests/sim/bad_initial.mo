// No real x has the square -1.
// expect exit 3
// expect error I501 at 10
// expect message no method finds a solution
// expect message `x`: start 0 (default)
model BadInitial
  Real x, y;
equation
  der(x) = -x;
  y = x^2;
initial equation
  y = -1;
end BadInitial;
