model Matrix
  Real A[2, 2] = {{1, 2}, {3, 4};
  Real x = time;
end Matrix;
// expect P010 at 2:33
