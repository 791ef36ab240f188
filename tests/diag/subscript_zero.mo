model Cells
  parameter Integer n = 3;
  Real T[n];
equation
  for i in 1:n loop
    T[i] = if i > 1 then T[i - 1] + 1 else 0;
    T[i - 1] = 0;
  end for;
end Cells;
// expect T303 at 7:7
