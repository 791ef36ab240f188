// The solution runs to infinity at time 1: the run ends there with a message, and keeps what it has.
// run: --stop 2
// expect exit 4
// expect error R604
// expect x(0.5) = 2 +- 1e-5
// expect time <= 1.001
// expect time >= 0.999
model SolverEscape
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
end SolverEscape;
