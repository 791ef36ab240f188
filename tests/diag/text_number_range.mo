model Huge
  parameter Real R = 1e400;
  Real v = R*time;
end Huge;
// expect P003 at 2:22
