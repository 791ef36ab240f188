// So has a start value that was given.
// run: -x level=-0.5
// expect exit 1
// expect error V005 at 7
// expect message the start value of `level` = -0.5 is less than its min = 0
model BoundsStart
  Real level(start = 2, fixed = true, min = 0);
equation
  der(level) = 1;
end BoundsStart;
