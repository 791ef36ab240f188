model Gain
  Real u = time;
  parameter Real k = 2*u;
  Real y = k*u;
end Gain;
// expect V001 at 3:22
