model Motor
  #define N 3
  Real w = time;
end Motor;
// expect P001 at 2:3
