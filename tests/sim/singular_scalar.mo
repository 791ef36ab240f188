// One equation whose coefficient is 0 in some modes, where it says nothing: the unknown keeps its value, as those of larger systems do.
// The coefficients are an expression, a variable that is determined elsewhere, an Integer and a limit.
// run: --stop 1 --intervals 20
// solvers: auto rk45 cvode ida rosenbrock
// expect a(0.25) = 3.25 +- 1e-9
// expect a(1) = 3.5 +- 1e-9
// expect b(0.25) = 3.25 +- 1e-9
// expect b(1) = 3.5 +- 1e-9
// expect c(0.25) = 3.25 +- 1e-9
// expect c(1) = 3.5 +- 1e-9
// expect d(0.25) = 3 +- 1e-9
// expect d(1) = 3 +- 1e-9
// back in a mode that determines them
// expect b(0.95) = 3.5 +- 1e-9
// expect e(0.5) = 1 +- 1e-9
// expect e(0.75) = 1 +- 1e-9
// expect e(1) = 2 +- 1e-9
model SingularScalar
  Real x(start = 0, fixed = true), a, b, c, d, e, k, g, u;
  Integer n;
  Boolean on = x < 0.5, again = x > 0.8;
equation
  der(x) = 1;
  n = if on then 1 else 0;
  k = if on then 1 else 0;
  g = if on then 1 elseif again then 2 else 0;
  u = if on then 3 + x else 0;
  (if on then 1 else 0)*a = u;
  k*b = u;
  n*c = u;
  max(0, 0.5 - x)*d = max(0, 0.5 - x)*3;
  g*e = if on then 1 elseif again then 4 else 0;
end SingularScalar;
