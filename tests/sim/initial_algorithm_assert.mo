// expect exit 3
// expect error I501 at 7
model InitialAlgorithmAssert
  parameter Real p = 1;
  Real x(start = 0, fixed = true);
initial algorithm
  assert(p > 2, "p is too small");
equation
  der(x) = p;
end InitialAlgorithmAssert;
