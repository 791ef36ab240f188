// The simplified form is not connected with any solution: the one near the start value is taken, and that is told.
// run: --stop 1 --intervals 2
model homotopy_nowhere
  Real x(start = 2), y(start = 1);
equation
  0 = homotopy(x^2 - 16, x + 40);
  0 = homotopy((y - 3)*(y^2 + 1), -y - 1);
end homotopy_nowhere;
// expect x(0) = 4 +- 1e-9
// expect y(0) = 3 +- 1e-9
// expect error I505 at 6
// expect error I505 at 7
