model Slope
  Boolean b = time > 1;
  Real s = der(b);
end Slope;
// expect D404 at 3:12
