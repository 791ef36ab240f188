model Cells
  parameter Integer n;
  Real x[n] = fill(time, n);
end Cells;
// expect V002 at 2:21
