model Flow
  Real q;
equation
  q = 2*(time + 3;
end Flow;
// expect P010 at 4:18
