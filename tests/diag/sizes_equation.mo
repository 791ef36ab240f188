model Vectors
  Real a[3];
equation
  a = {1, 2};
end Vectors;
// expect T302 at 4:3
