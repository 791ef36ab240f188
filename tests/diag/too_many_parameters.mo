model Check
  parameter Real p = 1;
  parameter Real q = 2;
  Real x = time;
equation
  p + q = 3;
end Check;
// expect S103 at 6:3
