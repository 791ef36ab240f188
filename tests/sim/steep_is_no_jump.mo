// Steep but continuous: the step collapses where x passes 0.5, which takes 1e-7 s, and at each relaxation of a, and nothing jumps.
// x' = 1 + 0.9 tanh(1e7 (x - 0.5)) is 0.1 before and 1.9 after.
// run: --stop 30
// solvers: auto rk45 rosenbrock cvode
// expect x(4) = 0.4 +- 1e-6
// expect x(15) = 0.5 + 1.9*10 +- 1e-4
// expect no R634
model SteepIsNoJump
  Real x(start = 0, fixed = true);
  Real a(start = 2, fixed = true), b(start = 0, fixed = true);
equation
  der(x) = 1 + 0.9*tanh(1e7*(x - 0.5));
  der(a) = b;
  der(b) = 60*(1 - a^2)*b - a;
end SteepIsNoJump;
