model TooManyInitial "a second initial equation has nothing to determine: it is checked when the model runs, here nothing is said"
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
initial equation
  x = 2;
end TooManyInitial;
// expect nothing
