model Vectors
  Real a[2] = {1, 2};
  Real b[3] = {1, 2, 3};
  Real c[3] = a + b;
end Vectors;
// expect T302 at 4:15
