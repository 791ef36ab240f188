model parts_direction "an ideal diode blocks once: which way its relation moves follows from all that it reads, also from parts without steps"
  Real y(start = 0.1) "by an implicit equation: a part of its own, without steps";
  Real s, u, i, v(start = 0, fixed = true), x(start = 0, fixed = true);
  Boolean off(start = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  y + 0.4*y^3 = cos(2.9*time - 0.6);
  der(x) = y - 2*x "a second reader";
  off = s < 0;
  u = if off then s else 0;
  i = if off then 0 else s;
  1.7*y - v = u + 0.9*i;
  0.6*der(v) = i - 0.5*v;
  // v falls when the diode blocks, which alone would let it conduct again; y falls faster
  when off then
    n = pre(n) + 1;
  end when;
  when not off then
    m = pre(m) + 1;
  end when;
  annotation(experiment(StopTime = 2.4));
end parts_direction;
// run: --rtol 1e-9
// solvers: rk45 rosenbrock cvode
// expect n(2.4) = 1
// expect m(2.4) = 1
// expect events = 2
