// A limited amplifier with positive feedback and an integrator: where the amplifier leaves one limit, the only solution a moment later
// is the other limit, as between them the output would fall where its input rises. Each such jump is one event.
// run: --stop 10 --intervals 20
// solvers: auto rk45 cvode ida rosenbrock euler
// expect state_events = 9
// expect time(#1) = 1.1 - 1e-5 +- 1e-8
// expect y(#1-) = -1 +- 1e-9
// expect y(#1) = 1 +- 1e-9
// expect time(#2) = 2.1 - 3e-5 +- 1e-8
// expect y(#2) = -1 +- 1e-9
// expect x(10) = -0.4 - 18e-5 +- 1e-7
model MixedGenerator
  constant Real gain = 1e5;
  Real x(start = -0.6, fixed = true), u, y;
equation
  u = x + y/2;
  y = if gain*u > 1 then 1 else if gain*u < -1 then -1 else gain*u;
  der(x) = -y;
end MixedGenerator;
