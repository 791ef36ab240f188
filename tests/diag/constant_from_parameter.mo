model Gain
  parameter Real p = 2;
  constant Real k = 2*p;
  Real y = k*time;
end Gain;
// expect V001 at 3:21
