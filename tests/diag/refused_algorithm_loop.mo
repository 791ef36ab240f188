model M
  Real x, y;
  Boolean b;
algorithm
  x := y + 1;
  b := x > 2;
equation
  y = 2*x;
end M;
// expect X001 at 4:1
