// Sliding between two modes with unknowns of their own: u in one, w in the other. Both lead to x = 1 until the first turns away.
// x = 2*t - t^2/2 reaches 1 at 2 - sqrt(2), stays there until t = 2, then follows x' = 2 - t.
// run: --stop 3 --intervals 300
// solvers: auto rk45 rosenbrock rk4
// expect x(0.5) = 0.875 +- 1e-6
// expect x(1) = 1 +- 1e-6
// expect x(2) = 1 +- 1e-6
// expect x(3) = 0.5 +- 1e-5
// expect w(1) = -1 +- 1e-9
model SlideModes
  Real x(start = 0, fixed = true), u, w;
equation
  if x < 1 then
    u = 2 - time;
    der(x) = u;
  else
    w = -1;
    der(x) = w;
  end if;
end SlideModes;
