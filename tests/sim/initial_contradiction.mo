// More initial conditions than needed, which contradict each other.
// expect exit 3
// expect error I501
model InitialContradiction
  Real x(start = 1, fixed = true), y(start = 3, fixed = true);
equation
  der(x) = -x;
  y = 2*x;
end InitialContradiction;
