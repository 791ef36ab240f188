model InitialAlgorithm
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
initial algorithm
  x := 2;
end InitialAlgorithm;
// expect I501 at 5:1
// says: competes with the fixed start value of `x`
