// sign() under noEvent, two of them: v comes to rest first, u while v already slides. Both stay there, though forces of 0.3 and 0.2 act.
// run: --stop 3
// solvers: auto rk45 rosenbrock ida
// expect u(3) = 0 +- 1e-8
// expect v(3) = 0 +- 1e-8
// expect solver_changes <= 2
// expect steps <= 3000
model QuietSign
  Real u(start = 0.9, fixed = true), v(start = -0.7, fixed = true);
equation
  der(u) = 0.3 - noEvent(sign(u)) + 0.1*v*u;
  der(v) = 0.2 - noEvent(sign(v)) + 0.1*u*v;
end QuietSign;
