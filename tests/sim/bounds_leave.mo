// States leave their bounds whatever the step is: they are not kept from it, and it is told. z in [0, ...] falls to -1 along
// exp(-t)*3 - 1, u rises above 0 along 1 - 2*exp(-t).
// run: --stop 5
// solvers: rk45 rosenbrock cvode ida auto
// expect z(5) = 3*exp(-5) - 1 +- 1e-4
// expect u(5) = 1 - 2*exp(-5) +- 1e-4
// expect error R630
// expect steps <= 1000
model BoundsLeave
  Real z(min = 0, start = 2, fixed = true), u(max = 0, start = -1, fixed = true);
equation
  der(z) = -z - 1;
  der(u) = 1 - u;
end BoundsLeave;
