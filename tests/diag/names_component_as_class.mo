model Confused
  Real x = time;
  x y;
end Confused;
// expect N004 at 3:3
