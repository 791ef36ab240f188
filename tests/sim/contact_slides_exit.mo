// A contact force moves a surface that the motion slides along faster than the fields of its sides: the sliding ends when the force
// begins to act, as J grows with 5 per second then, and r with 3; or when it has become large enough, as K grows with 1 + 4*time,
// and what follows it with 6.
// run: --stop 2.5 --intervals 250
// solvers: rk45 rkf45 rosenbrock cvode ida
// expect J(2.5) = 5*(2.5 - sqrt(2*0.25/5)*(1 + 0.4)/(1 - 0.4)) +- 1e-3
// expect r(2.5) = 3*(2.5 - sqrt(2*0.25/5)*(1 + 0.4)/(1 - 0.4)) +- 1e-3
// expect since(2.5) = 3 +- 1e-6
// expect behind(1.2) = 0 +- 1e-6
// expect behind(2.5) = 2*(2.5**2 - 1.25**2) + (2.5 - 1.25) - 6*(2.5 - 1.25) +- 1e-5
model ContactSlidesExit
  Real h(start = 0.25, fixed = true), v(start = 0, fixed = true);
  Real J(start = 0, fixed = true), r(start = 0.1, fixed = true), since(start = 0, fixed = true);
  Real y(start = 0.2, fixed = true), w(start = 0, fixed = true);
  Real K(start = 0, fixed = true), s(start = 0.1, fixed = true), behind = K - s;
equation
  der(h) = v;
  der(v) = -5;
  when h <= 0 then
    reinit(v, -0.4*pre(v));
  end when;
  der(J) = der(v) + 5;
  der(r) = 3*sign(J - r);
  der(since) = if time > 1.5 then der(r) else 0;
  der(y) = w;
  der(w) = -4*time - 1;
  when y <= 0 then
    reinit(w, -0.5*pre(w));
  end when;
  der(K) = der(w) + 4*time + 1;
  der(s) = 6*sign(K - s);
end ContactSlidesExit;
