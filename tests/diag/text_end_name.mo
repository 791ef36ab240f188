model Pump
  Real q = time;
end Pmup;
// expect P011 at 3:5
