model Confused
  model Motor
    Real w = time;
  end Motor;
  Real v = 2*Motor;
end Confused;
// expect N004 at 5:14
