// Charges of some femtocoulombs, declared as such, cross a threshold; one is the difference of two others.
// run: --stop 3 --intervals 30
// solvers: auto rk45 cvode ida rosenbrock
// expect n(3) = 1 +- 0
// expect m(3) = 1 +- 0
// expect k(3) = 1 +- 0
// expect t(3) = 0.8/0.45 +- 1e-6
// expect tm(3) = 1 + 2/3 +- 1e-6
model SmallCharge
  Real q(nominal = 1e-15, start = 0, fixed = true), a(nominal = 1e-15, start = 3e-15, fixed = true), b(nominal = 1e-15, start = 2e-15, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
  discrete Real t(start = 0, fixed = true), tm(start = 0, fixed = true);
equation
  der(q) = 0.45e-15;
  der(a) = if time < 1 then -2e-15 else 1e-15;
  der(b) = if time < 1 then 0 else -0.5e-15;
  when q > 0.8e-15 then
    n = pre(n) + 1;
    t = time;
  end when;
  when a < b then
    m = pre(m) + 1;
  end when;
  when a - b > 0 then
    k = pre(k) + 1;
    tm = time;
  end when;
end SmallCharge;
