// Balls come to rest on floors that are far from 0: their last flights are lower than the errors of a method that begins anew
// at each event, which must lose neither the floor nor, once they rest, the length of their steps.
// run: --stop 9 --rtol 1e-7
// solvers: rk45 rosenbrock cvode ida
// expect a.h(9) = 7 +- 1e-5
// expect b.h(9) = -410 +- 1e-3
// expect c.h(9) = 23000 +- 0.02
// expect d.h(9) = -12 +- 1e-5
// expect a.N(9) = 9.81 +- 1e-4
// expect c.N(9) = 9.81 +- 1e-4
// expect min(a.h) >= 6.9999
// expect min(b.h) >= -410.01
// expect min(c.h) >= 22999.9
// expect min(d.h) >= -12.0001
// expect contacts = 4
// expect steps <= 6000
model RestOnHighFloor
  model Ball
    parameter Real floor, e, drag = 0;
    Real h(start = floor + 0.4, fixed = true), v(start = 0, fixed = true), N;
  equation
    der(h) = v;
    der(v) = -9.81 - drag*v;
    N = der(v) + 9.81 + drag*v;
    when h <= floor then reinit(v, -e*pre(v)); end when;
  end Ball;
  Ball a(floor = 7, e = 0.65), b(floor = -410, e = 0.25, drag = 0.3), c(floor = 23000, e = 0.5), d(floor = -12, e = 0.88, drag = 0.4);
end RestOnHighFloor;
