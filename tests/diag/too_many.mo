model Level
  Real h;
equation
  h = time;
  h = 2;
end Level;
// expect S103 at 5:3
