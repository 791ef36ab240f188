model Cells
  Real A[2, 2] = [1, 2; 3, 4];
  Real x = A[1, 1, 1];
end Cells;
// expect T302 at 3:12
