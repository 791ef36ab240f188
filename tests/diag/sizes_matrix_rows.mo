model Linear
  parameter Real A[2, 2] = [1, 2; 3];
  Real y = A[1, 1]*time;
end Linear;
// expect T302 at 2:28
