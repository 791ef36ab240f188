// A part that only reads from another one: the oscillation knows nothing of the pulses, which add up to the integral of x^2.
// solvers: auto rk45 cvode rosenbrock
// expect x(10) = cos(10) +- 1e-4
// expect sum(5) = 5/2 + sin(10)/4 +- 1e-4
// expect sum(10) = 10/2 + sin(20)/4 +- 1e-4
// expect n(10) = 104 +- 0
model PartsOneWay
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  Real w(start = 0, fixed = true), sum;
  Integer n(start = 0, fixed = true);
equation
  der(x) = -y;
  der(y) = x;
  der(w) = x^2;
  when w > 0.05 then
    reinit(w, w - 0.05);
    n = pre(n) + 1;
  end when;
  sum = 0.05*n + w;
  annotation(experiment(StopTime = 10));
end PartsOneWay;
