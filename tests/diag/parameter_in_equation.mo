model Gain
  parameter Real k;
  Real y = k*time;
equation
  k = 2;
end Gain;
// expect V004 at 2:18
// expect S103 at 5:3
