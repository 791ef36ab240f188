// An equation without real solution: all methods fail, and the failure names the unknown.
// expect exit 3
// expect error I501
model InitialNone
  Real x(start = 1), y;
equation
  x^2 + y^2 = -1 - time;
  y = 3*x + sin(y);
end InitialNone;
