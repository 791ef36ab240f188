// Ten years from 0, where the time is known to 6e-8 s only: steps are those that the time makes, and states belong to the times of events.
// run: --start 3e8 --stop 300000020 --rtol 1e-8 --intervals 8000
// solvers: auto rk45 rkf45 rosenbrock cvode ida rk4
// expect e(300000020) = 0 +- 2e-6
// expect y(300000020) = cos(20) +- 2e-5
// expect m(300000020) = 9 +- 0
// expect tm(300000020) = 300000000 + 7 + 8*1.5 +- 2e-6
// expect n(300000020) = 8 +- 0
// expect d(300000020) = cos(19.5) +- 2e-5
// expect k(300000020) = 6 +- 0
model TimeFar
  Real x(start = 0, fixed = true), e = x - (time - 3e8) "x follows the time";
  Real y(start = 1, fixed = true), z(start = 0, fixed = true), d = delay(y, 0.5);
  Integer m(start = 0, fixed = true), n(start = 0, fixed = true), k(start = 0, fixed = true);
  discrete Real tm(start = 0, fixed = true), next(start = 7, fixed = true);
equation
  der(x) = 1;
  der(y) = z;
  der(z) = -y;
  when x > pre(next) then
    m = pre(m) + 1;
    tm = time;
    next = pre(next) + 1.5;
  end when;
  when sample(1.25, 2.5) then
    n = pre(n) + 1;
  end when;
  when y*z > 0.1 then
    k = pre(k) + 1;
  end when;
end TimeFar;
