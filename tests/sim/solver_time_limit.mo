// An oscillation that would take hours: the limit of computing time stops it, and the first rows are kept.
// run: --stop 1e12 --intervals 1 --time-limit 0.2 --rtol 1e-9
// expect exit 5
// expect error R610
// expect x(0) = 1 +- 0
model SolverTimeLimit
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end SolverTimeLimit;
