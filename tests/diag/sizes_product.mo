model Linear
  parameter Real A[2, 3] = [1, 2, 3; 4, 5, 6];
  Real x[2] = {time, 1};
  Real y[2] = A*x;
end Linear;
// expect T302 at 4:15
