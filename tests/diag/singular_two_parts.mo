model TwoParts
  Real a, b, c, d;
equation
  a + b = 1;
  a - b = 3;
  2*a + b = 4;
  c*d = time;
end TwoParts;
// expect S101 at 2:17
// expect S103 at 6:3
// says: `a` and `b`
// says: nothing determines `d`
