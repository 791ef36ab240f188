model OpenNonlinear "a circle twice: no point of it is determined; beside it a double root, which is"
  Real x(start = 0.6), y(start = 0.7), r, a(start = 0.1), b(start = 0.1);
equation
  x^2 + y^2 = 1;
  3*x^2 + 3*y^2 = 3;
  r = sqrt(x^2 + y^2);
  a + b^2 = 0;
  a - b^2 = 0;
end OpenNonlinear;
// expect error R624
// expect message they do not determine
// expect r(1) = 1 +- 1e-6
// expect a(1) = 0 +- 1e-6
