// The magnitude of a vector has no derivative where the iteration starts, at 0. Solved for i > 0: r = sqrt(x^2 + y^2) with x = 3 - r,
// y = 4 - 2*r gives 4*r^2 - 22*r + 25 = 0, r = (11 - sqrt(21))/4.
// run: --stop 1
// expect r(0) = (11 - 21**0.5)/4 +- 1e-9
model Corner
  Real x, y, r = sqrt(x^2 + y^2);
equation
  x = 3 - r;
  y = 4 - 2*r;
end Corner;
