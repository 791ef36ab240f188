// A ball that jumps, with a part of its forces in a linear system that the solver sees: events as in the other formulation.
// run: --formulation dae --stop 2 --rtol 1e-8
// expect state_events = 4
// expect h(0.4) = 1 - 9.81*0.4**2/2 +- 1e-6
// expect min(h) >= -1e-6
model ImplicitBall
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), a, b;
equation
  der(h) = v;
  a + b = -9.81;
  a - 2*b = 0;
  der(v) = a + b;
  when h <= 0 then
    reinit(v, -0.7*pre(v));
  end when;
end ImplicitBall;
