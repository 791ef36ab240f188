model Count
  Real t = time;
  Integer n = t/2;
end Count;
// expect T301 at 3:15
