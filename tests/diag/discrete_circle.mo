model Latch
  Boolean set = time > 1;
  Boolean a;
  Boolean b;
equation
  a = not b;
  b = set or a;
end Latch;
// expect D402 at 6:3
