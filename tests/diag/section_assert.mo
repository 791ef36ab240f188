model SectionAssert "an assertion that nobody may leave out"
  Real x, y, z;
algorithm
  y := 5*x;
  assert(y < 4, "too far");
equation
  y = cos(time);
  der(x) = z;
end SectionAssert;
// expect S106 at 3:1
// says: without `when`, assertions
