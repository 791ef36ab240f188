// A value for a parameter that initial equations determine is a guess, and the run says so; one that it leaves as it is says nothing.
// run: -p q=2.5 -p k=0.5 -p g=2
// expect error I506 at 10
// expect message `k` was given the value 0.5, but initial equations determine it: it is 1.5
// expect message `q` was given the value 2.5
// expect y(0) = -3*3 + 2 +- 1e-9
// expect x(1) = 3*exp(-1.5) +- 1e-5
model ParameterGuess
  parameter Real k(fixed = false, start = 1) "found: x' = -4.5 at the start";
  parameter Real q(fixed = false, start = -1) "one of two solutions";
  parameter Real g(fixed = false, start = 1) "set to what it is";
  Real x(start = 3, fixed = true), y = q*x + g;
initial equation
  der(x) = -4.5;
  q^3 = -27;
  g^3 = 8;
equation
  der(x) = -k*x;
end ParameterGuess;
