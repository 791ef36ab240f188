// A relay slides; what stands beside it depends on no side of the relay, but is evaluated on both. Its iterations must end with the same
// digits there, so that the result is what its equations give: values computed from the record are the same bits.
// run: --stop 2 --rtol 1e-9 --intervals 200
// solvers: auto rk45 rosenbrock
// expect x(1) = 0.2 +- 1e-8
// expect slides = 1
model SlideBesideNewton
  Real x(start = 1.2, fixed = true), f, z(start = 0, fixed = true);
  Real y(start = 0.1), w(start = 0.1), p, i, q;
equation
  f = if x > 0.2 then -4 else 4;
  der(x) = f + 0.3*sin(7*time);
  der(z) = f - 2*z;
  2.2*y + 0.5*w = tanh(exp(-z^2)) - 0.7*sin(3*time);
  w + 0.3*w^3 - 0.4*y = cos(z + 2*time);
  p = 2*tanh(y + w) - 0.531*i;
  p = 1.777*i + 0.3*q;
  q = 0.2*p - i;
end SlideBesideNewton;
