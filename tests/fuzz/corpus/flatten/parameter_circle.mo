model Circle
  parameter Real a = 2*b;
  parameter Real b = c + 1;
  parameter Real c = a/2;
  Real x = a*time;
end Circle;
// expect V003 at 2:18
