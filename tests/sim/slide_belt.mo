// Stick and slip: a mass with a spring on a belt that moves with 0.5, dry friction 1. Sticking is sliding on v = 0.5.
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// run: --stop 6 --rtol 1e-8
// slips with x = 1 - cos(t) until sin(t) = 0.5
// expect time(#1) = pi/6 +- 1e-6
// sticks with the friction that the spring asks for
// expect x(1.5) = 1 - cos(pi/6) + 0.5*(1.5 - pi/6) +- 1e-6
// expect v(1.5) = 0.5 +- 1e-8
// expect f(1.5) = 1 - cos(pi/6) + 0.5*(1.5 - pi/6) +- 1e-6
// until x = 1
// expect time(#2) = pi/6 + sqrt(3) +- 1e-6
// expect x(6) = 1 + 0.5*sin(6 - pi/6 - sqrt(3)) +- 1e-6
// expect v(6) = 0.5*cos(6 - pi/6 - sqrt(3)) +- 1e-6
// expect events = 2
model SlideBelt
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), slip, f;
equation
  slip = v - 0.5;
  f = if slip > 0 then -1 else 1;
  der(x) = v;
  der(v) = f - x;
end SlideBelt;
