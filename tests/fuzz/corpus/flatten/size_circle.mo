model Circle
  parameter Integer n = size(x, 1);
  Real x[n] = fill(time, n);
end Circle;
// expect V003 at 3:8
