model Spring
  parameter Real c = 10
  Real f = c*time;
end Spring;
// expect P010 at 2:24
