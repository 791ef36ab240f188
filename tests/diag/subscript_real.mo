model Cells
  Real T[3] = {1, 2, 3};
  Real x = T[1.5];
end Cells;
// expect T301 at 3:14
