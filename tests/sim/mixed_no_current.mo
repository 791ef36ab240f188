// Two ideal diodes on one resistor. The first has no source, so its voltage and current are exactly 0 as long as the second blocks: its
// relation has nothing to decide, and roundings of the other equations must not decide it.
// run: --stop 0.25 --rtol 1e-9 --intervals 1000
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect v(0.2) = 0 +- 0
// expect s1(0.13) = 0 +- 0
// expect s2(0.2) = -0.0268/1.0268 +- 1e-12
// expect state_events = 0
model MixedNoCurrent
  Real x(start = 0.1, fixed = true);
  Real s1, u1, i1, s2, u2, i2, v;
  Boolean off1(start = true), off2(start = true);
  parameter Real e = 0;
equation
  der(x) = -0.366;
  off1 = s1 < 0;
  u1 = if off1 then s1 else 0;
  i1 = if off1 then 0 else s1;
  off2 = s2 < 0;
  u2 = if off2 then s2 else 0;
  i2 = if off2 then 0 else s2;
  e*x - v = u1 + 0.8*i1;
  v - x/(1 + abs(x)) = u2 + 0.5*i2;
  v = 0.9*(i1 - i2) + e*x;
end MixedNoCurrent;
