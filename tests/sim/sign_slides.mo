// sign(v) switches: dry friction comes to rest, sticks, and breaks away again.
// run: --stop 8 --intervals 800
// solvers: rk45 cvode ida rosenbrock
// a block slows down: v = 0.75 - 0.5 t until 1.5, then 0
// expect v(1) = 0.25 +- 1e-7
// expect v(2) = 0 +- 1e-7
// expect s(8) = 0.5625 +- 1e-6
// on a spring, x'' = -x - 0.3 sign(x'): from 1 to -0.4 at pi, to -0.2 at 2 pi, where the spring is too weak
// expect x(3.14) = 0.3 + 0.7*cos(3.14) +- 1e-4
// expect x(8) = -0.2 +- 1e-5
// expect w(8) = 0 +- 1e-6
// a force that grows, 0.25 t, against 0.8 sign(u): rest until 3.2, then u = 0.125 (t - 3.2)^2
// expect u(3) = 0 +- 1e-9
// expect u(8) = 0.125*4.8**2 +- 1e-5
// the average of the friction is the force while it sticks
// expect f(2) = 0.5 +- 1e-6
// expect f(4) = 0.8 +- 1e-9
// sign of a difference that equations compute: two blocks that rub come to one speed, 0.6 and 0.1 with masses 1 and 3
// expect a(8) = (0.6 + 3*0.1)/4 +- 1e-6
// expect b(8) = (0.6 + 3*0.1)/4 +- 1e-6
// without effect on what it is the sign of: it only changes, at 2 and 6
// expect q(1) = -3 +- 0
// expect q(4) = 3 +- 0
// expect q(7) = -3 +- 0
model SignSlides
  Real v(start = 0.75, fixed = true), s(start = 0, fixed = true);
  Real x(start = 1, fixed = true), w(start = 0, fixed = true);
  Real u(start = 0, fixed = true), f;
  Real a(start = 0.6, fixed = true), b(start = 0.1, fixed = true), rub, slip;
  Real q;
equation
  der(v) = -0.5*sign(v);
  der(s) = v;
  der(x) = w;
  der(w) = -x - 0.3*sign(w);
  f = 0.8*sign(u);
  der(u) = 0.25*time - f;
  slip = a - b;
  rub = 0.2*sign(2*slip);
  der(a) = -rub;
  3*der(b) = rub;
  q = 3*sign(4 - (time - 4)^2);
end SignSlides;
