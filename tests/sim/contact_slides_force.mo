// Contact forces and weights of sliding follow from each other: the force depends on the side of a surface that it moves. At rest
// r = v = 0, and r slides with sign(v - r) = -1/2; the force is 10 with that of the surface.
// run: --stop 3 --intervals 300
// solvers: rk45 rkf45 rosenbrock cvode ida
// expect r(3) = 0 +- 1e-9
// expect s(3) = -0.5 +- 1e-6
// expect work(3) = 10 +- 1e-6
model ContactSlidesForce
  Real h(start = 0.5, fixed = true), v(start = 0, fixed = true), r(start = 0.3, fixed = true), s = sign(v - r);
  Real work(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -10 - 3*s;
  when h <= 0 then
    reinit(v, -0.3*pre(v));
  end when;
  der(r) = 2*s + 1;
  der(work) = if time > 2 then der(v) + 10 else 0;
end ContactSlidesForce;
