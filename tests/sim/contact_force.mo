// At rest after infinitely many bounces der(v) is what the contact leaves, and everything that is computed from it sees that: in the
// same part and in others, by another name, through a function, in an integral, a relation, a sample and what only follows.
// The ball rests from sqrt(2*0.8/5)*(1 + 0.6)/(1 - 0.6) on; until then there is no force between the bounces.
// run: --stop 4 --intervals 400
// solvers: rk45 rkf45 rosenbrock ida
// expect force(2) = 0 +- 1e-9
// expect force(4) = 2*5 +- 1e-6
// expect a(4) = 0 +- 1e-6
// expect down(4) = 0 +- 1e-6
// expect impulse(4) = 10*(4 - 4*sqrt(2*0.8/5)) +- 1e-5
// expect square(4) = 101 +- 1e-4
// expect work(4) = 101*(4 - 4*sqrt(2*0.8/5)) + 4*sqrt(2*0.8/5) +- 1e-4
// expect loaded(2) = 0 +- 0
// expect loaded(4) = 1 +- 0
// expect sampled(2.4) = 0 +- 1e-9
// expect sampled(2.6) = 10 +- 1e-6
// expect shown(4) = 0.5*101 +- 1e-4
// expect contacts = 1
model ContactForce
  function f
    input Real x;
    output Real y;
  algorithm
    y := x*x + 1;
  end f;
  Real h(start = 0.8, fixed = true), v(start = 0, fixed = true), a, down, force, square, shown;
  Real impulse(start = 0, fixed = true), work(start = 0, fixed = true);
  Boolean loaded;
  discrete Real sampled(start = 0, fixed = true);
equation
  der(h) = v;
  a = der(v);
  down = -a;
  down = 5 + 1e-12*h;
  when h <= 0 then
    reinit(v, -0.6*pre(v));
  end when;
  force = 2*(a + 5);
  square = f(force);
  der(impulse) = force;
  der(work) = square;
  loaded = force > 9;
  when sample(0.5, 0.5) then
    sampled = force;
  end when;
  shown = 0.5*square + a;
end ContactForce;
