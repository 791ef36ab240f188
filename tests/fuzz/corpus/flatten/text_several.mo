model Several "three slips of the pen, three messages"
  Real x
  Real y;
  parameter Real k = 1e;
equation
  x = 2*k;
  y = (x + 1;
end Several;
// expect P010 at 2:9
// expect P003 at 4:22
// expect P010 at 7:13
