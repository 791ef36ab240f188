// An assertion in a function that a derivative needs: the step shrinks first.
// expect exit 4
// expect error R605 at 9
// expect time = 0.7 +- 1e-6
function limited
  input Real x;
  output Real y;
algorithm
  assert(x < 0.7, "limited is made for x < 0.7");
  y := 1 + 1e-9*x;
end limited;

model BadAssertFunction
  Real x(start = 0, fixed = true);
equation
  der(x) = limited(x);
end BadAssertFunction;
