// A relay slides beside two ideal diodes; the first has no source, so that its voltage and current stay exactly 0. A relation of a mixed
// system that rests on its limit must not keep the motion from sliding along another relation.
// run: --stop 1 --rtol 1e-8
// solvers: auto rk45 rosenbrock cvode ida
// expect x(1) = 0.13 +- 1e-7
// expect y(1) = -0.5 +- 1e-5
// expect s1(1) = 0 +- 1e-15
// expect s2(1) = -0.2 +- 1e-6
// expect slides = 1
// expect state_events <= 3
model SlideBesideDiode
  parameter Real e = 0;
  Real x(start = -0.6, fixed = true), f, y(start = 0, fixed = true), z(start = 1, fixed = true);
  Real s1, u1, i1, s2, u2, i2, v;
  Boolean off1(start = true), off2(start = true);
equation
  f = if x > 0.13 then -2 else 2;
  der(x) = f + 0.5;
  der(y) = 40*(f - y);
  off1 = s1 < 0;
  u1 = if off1 then s1 else 0;
  i1 = if off1 then 0 else s1;
  off2 = s2 < 0;
  u2 = if off2 then s2 else 0;
  i2 = if off2 then 0 else s2;
  e*x - v = u1 + 0.8*i1;
  v - 0.33 + x = u2 + 0.5*i2;
  v = 0.9*(i1 - i2) + e*x;
  if time < 0.5 then
    der(z) = -z;
  else
    z = 0.3 + v;
  end if;
end SlideBesideDiode;
