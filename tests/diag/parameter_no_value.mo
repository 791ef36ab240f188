model Gain
  parameter Real k;
  Real y = k*time;
end Gain;
// expect V004 at 2:18
