// The past of an expression that no state follows: its error is as small as the tolerance says, also where only a few rows
// are asked for and nothing else makes the steps short. The second one is delayed twice, the third has a kink at an event.
// run: --intervals 3 --rtol 1e-8 --stop 3
// solvers: rk45 cvode rosenbrock
// expect y(1) = sin(7*(1 - 0.35) + 1) +- 1e-7
// expect y(2) = sin(7*(2 - 0.35) + 1) +- 1e-7
// expect z(2) = sin(7*(2 - 0.35 - 0.9) + 1) +- 1e-7
// expect z(3) = sin(7*(3 - 0.35 - 0.9) + 1) +- 1e-7
// expect k(3) = exp(-(3 - 0.35))*3 +- 1e-7
// expect k(1) = exp(-(1 - 0.35)) +- 1e-7
model DelayOnCoarseGrid
  Real y = delay(sin(7*time + 1), 0.35);
  Real z = delay(y, 0.9);
  Real k = delay(if time > 1.5 then 3*exp(-time) else exp(-time), 0.35);
end DelayOnCoarseGrid;
