model Counter
  Real x;
algorithm
  x = 3*time;
end Counter;
// expect P010 at 4:5
