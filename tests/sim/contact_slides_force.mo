// Contact forces and weights of sliding follow from each other: the force depends on the side of a surface that it moves. At rest
// r = v = 0, and r slides with sign(v - r) = -1/2; the force is 10 with that of the surface. In the second one two surfaces meet:
// of p = sign(w - a), q = sign(a - b), 3*p + 1/2 = 0 and 1.5*q + p = 0.
// run: --stop 3 --intervals 300
// solvers: rk45 rkf45 rosenbrock cvode ida
// expect r(3) = 0 +- 1e-9
// expect s(3) = -0.5 +- 1e-6
// expect work(3) = 10 +- 1e-6
// expect b(3) = 0 +- 1e-9
// expect p(3) = -1/6 +- 1e-6
// expect q(3) = 1/9 +- 1e-6
// expect push(3) = 10 +- 1e-6
model ContactSlidesForce
  Real h(start = 0.5, fixed = true), v(start = 0, fixed = true), r(start = 0.3, fixed = true), s = sign(v - r);
  Real work(start = 0, fixed = true);
  Real y(start = 0.4, fixed = true), w(start = 0, fixed = true);
  Real a(start = 0.2, fixed = true), b(start = 0, fixed = true), p = sign(w - a), q = sign(a - b);
  Real push = der(w) + 10;
equation
  der(h) = v;
  der(v) = -10 - 3*s;
  when h <= 0 then
    reinit(v, -0.3*pre(v));
  end when;
  der(r) = 2*s + 1;
  der(work) = if time > 2 then der(v) + 10 else 0;
  der(y) = w;
  der(w) = -10 - 2*p - q;
  when y <= 0 then
    reinit(w, -0.35*pre(w));
  end when;
  der(a) = 3*p + 0.5;
  der(b) = 1.5*q + p;
end ContactSlidesForce;
