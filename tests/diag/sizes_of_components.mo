model Bank
  model Cell
    parameter Real R = 1;
    Real v = R*time;
  end Cell;
  Cell cell[3](R = {1, 2});
end Bank;
// expect T302 at 6:20
