// Starting points from which Newton's method alone fails: a flat start, a pole on the way, a cycle, a start that cannot be
// evaluated, and a system with a turning point between start and solution.
// run: --stop 1 --intervals 1
// expect a(0) = 2 + atanh(0.3) +- 1e-9
// expect b(0) = exp(1) +- 1e-8
// expect c(0) = -1.7692923542386314 +- 1e-9
// expect d(0) = 100 +- 1e-6
// expect e(0) = 1.5213797068045675 +- 1e-9
model InitialHard
  Real a(start = 50), b, c(start = 0), d(start = 1e-3, min = 0, nominal = 100), e(start = -0.6);
equation
  tanh(a - 2) = 0.3 + 0*time;
  log(b) = 1 + 0*time;
  c^3 - 2*c + 2 = 0*time;
  sqrt(d)*d = 1000 + 0*time;
  e^3 - e = 2 + 0*time;
end InitialHard;
