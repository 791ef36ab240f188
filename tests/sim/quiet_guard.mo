// What guards a root, a logarithm or a division under noEvent is evaluated as it stands, at every point: no event, whatever the step
// does there. h = (1 - t/2)^2 runs empty at 2; a step that is only crossed makes none either: x' is 2, from x = 1 on 0.5.
// run: --stop 3
// solvers: auto rk45 rosenbrock cvode
// expect h(1) = 0.25 +- 1e-5
// expect h(3) = 0 +- 1e-5
// expect x(3) = 1 + 2.5*0.5 +- 1e-4
// expect events = 0
// expect no R634
model QuietGuard
  Real h(start = 1, fixed = true), x(start = 0, fixed = true);
equation
  der(h) = -(if noEvent(h > 0) then sqrt(h) else 0);
  der(x) = if noEvent(x < 1) then 2 else 0.5;
end QuietGuard;
