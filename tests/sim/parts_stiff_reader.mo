// A part that reads a moving one does not only depend on its own states: the slope of what it reads belongs to the derivative by
// time that Rosenbrock methods need. Without it they took a thousand times as many steps. The solution is u = a^3 filtered:
// a = cos 3t, a^3 = 3/4 cos 3t + 1/4 cos 9t.
// run: --stop 10 --rtol 1e-7
// solvers: rosenbrock rk45 rkf45 cvode ida
// expect a(10) = cos(30) +- 1e-5
// expect u(10) = 0.75*5*(5*cos(30) + 3*sin(30))/34 + 0.25*5*(5*cos(90) + 9*sin(90))/106 +- 1e-5
// expect steps <= 15000
model PartsStiffReader
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), u(start = 0, fixed = true), w(start = 0, fixed = true);
  Boolean high(start = false, fixed = true);
equation
  der(a) = 3*b;
  der(b) = -3*a;
  der(u) = -5*(u - a^3);
  der(w) = u*a - w;
  when u > 10 then
    high = true;
  end when;
end PartsStiffReader;
