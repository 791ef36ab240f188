model Cells
  Real T[3] = {1, 2, 3};
  Real x = T[4];
end Cells;
// expect T303 at 3:14
