model Ratio
  constant Integer n = 0;
  parameter Integer m = div(7, n);
  Real x[m] = fill(time, m);
end Ratio;
// expect T305 at 3:25
