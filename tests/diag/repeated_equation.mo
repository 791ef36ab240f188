model Repeated
  Real a;
  Real b;
equation
  a + b = time;
  2*a + 2*b = 2*time;
end Repeated;
// expect S102 at 6:3
