model ConstrainedInput
  input Real u;
  Real x(start = 0), y;
equation
  der(x) = y;
  u = 3*x;
end ConstrainedInput;
// expect S106 at 6:3
// says: constrains `x`
// says: input
