model Negative
  parameter Integer n = 2;
  Real x[n - 5];
end Negative;
// expect T307 at 3:10
