model Twice
  Real p = time;
  Real q = 1;
  Real p = 2;
end Twice;
// expect N002 at 4:8
