// Trial steps that reach beyond the fold at x = 2 find the other branch of y; the steps that replace them begin again on this one.
// run: --stop 2 --solver rk45
// expect y(2) = -1.12648 +- 1e-4
// expect max(y) <= -1
model TrialBranch
  Real x(start = -1, fixed = true), y(start = -1.5);
equation
  der(x) = if noEvent(time > 0.5) then 100*(1.95 - x) + 1e-3*y else 1e-3*y;
  y^3 - 3*y = x;
end TrialBranch;
