block Gain
  parameter input Real k = 2;
  output Real y = k*time;
end Gain;
// expect N012 at 2:24
