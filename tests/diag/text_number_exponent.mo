model Exponent
  parameter Real R = 2.5e;
  Real v = R*time;
end Exponent;
// expect P003 at 2:22
