model Root
  Real x = sqrt(time, 2);
end Root;
// expect T304 at 2:12
