model Repeated "one wrong declaration, one message, however often it is used"
  Rael x;
  Real y = 2*x;
  Real z = x + y;
equation
  x = time;
end Repeated;
// expect N001 at 2:3
