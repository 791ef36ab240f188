model Gain
  parameter Real k = 1;
  Real y;
algorithm
  k := 2;
  y := k*time;
end Gain;
// expect V001 at 5:3
