// Sliding between two modes, each with an unknown of its own that moves: while it slides both have the values that their equations
// give, whatever rows are asked for. x' = 2 - 0.3 t reaches 1 at t0 = (2 - sqrt(4 - 0.6))/0.3 and stays.
// run: --stop 1.5 --intervals 3
// solvers: auto rk45 rosenbrock rk4
// expect u(0.5) = 1.85 +- 1e-9
// expect u(1) = 1.7 +- 1e-9
// expect u(1.5) = 1.55 +- 1e-9
// expect w(1) = -1.2 +- 1e-9
// expect w(1.5) = -1.3 +- 1e-9
// expect v(1.5) = -2.6 +- 1e-9
// expect x(1.5) = 1 +- 1e-6
// expect time(#1) = (2 - sqrt(3.4))/0.3 +- 1e-6
model SlideModesOwn
  Real x(start = 0, fixed = true), u(start = 5), w(start = 7), v(start = 9);
equation
  if x < 1 then
    u = 2 - 0.3*time;
    der(x) = u;
  else
    w = -1 - 0.2*time;
    v = 2*w;
    der(x) = w;
  end if;
end SlideModesOwn;
