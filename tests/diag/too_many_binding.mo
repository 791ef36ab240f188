model Level
  Real h = 2*time;
equation
  h = 3;
end Level;
// expect S103 at 4:3
