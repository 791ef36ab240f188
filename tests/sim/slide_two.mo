// Two relays that act on each other: first one surface, then both; the second relay has a value of its own on its surface, which does not count.
// solvers: auto rk45 rkf45 rk4 euler rosenbrock cvode ida
// run: --stop 10
// expect x(10) = 0 +- 1e-9
// expect y(10) = 0 +- 1e-9
// on both surfaces u = 0.3 v and v = 0.1 - 0.2 u
// expect u(5) = 0.03/1.06 +- 1e-9
// expect v(5) = 0.1/1.06 +- 1e-9
// expect time(#1) = 0.5/1.1 +- 1e-6
// on the first one v = -0.1, x' = -1.03
// expect v(1) = -0.1 +- 1e-9
// expect x(1) = 1 - 0.7*0.5/1.1 - 1.03*(1 - 0.5/1.1) +- 1e-6
// expect events = 2
// expect slides = 2
model SlideTwo
  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true), u, v;
equation
  u = if x > 0 then 1 else -1;
  v = if y > 0 then 1 elseif y < 0 then -1 else 0;
  der(x) = -u + 0.3*v;
  der(y) = -v - 0.2*u + 0.1;
end SlideTwo;
