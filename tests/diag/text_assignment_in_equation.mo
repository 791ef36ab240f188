model Counter
  Real x;
equation
  x := 3*time;
end Counter;
// expect P010 at 4:5
