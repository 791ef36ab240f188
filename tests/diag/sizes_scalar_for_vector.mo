model Cells
  Real T[4];
equation
  for i in 1:4 loop
    T = i*time;
  end for;
end Cells;
// expect T302 at 5:5
