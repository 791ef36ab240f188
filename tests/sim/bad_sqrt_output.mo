// A variable that only goes to the result is no exception: no result holds a value that is no number.
// expect exit 4
// expect error R604 at 11
// expect message `sqrt(x - 0.5)` has no value
// expect message `x` is 0.498
// expect y(0.5) = 2 +- 1e-6
model BadSqrtOutput
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = 2 + sqrt(x - 0.5);
end BadSqrtOutput;
