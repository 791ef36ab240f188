model Several "independent mistakes are reported together"
  Voltage u;
  Real x = hight*2;
  parameter Real height = 3;
  Boolean b = 3;
  Real y[2] = {1, 2, 3};
end Several;
// expect N001 at 2:3
// expect N001 at 3:12
// expect T301 at 5:15
// expect T302 at 6:15
