// Integer-valued functions are events (MLS 3.6 sections 3.7.1 and 3.7.2), also for negative arguments and exact hits.
// run: --stop 5 --intervals 20
// solvers: rk45 cvode ida rosenbrock euler
// x = -2.5 + t. integer and floor go down, ceil up, div and rem to zero, mod to the sign of the divisor
// expect i(0) = -3 +- 0
// expect i(0.75) = -2 +- 0
// expect i(5) = 2 +- 0
// expect f(0.25) = -3 +- 0
// expect f(4.75) = 2 +- 0
// expect c(0) = -2 +- 0
// expect c(0.25) = -2 +- 0
// expect c(0.75) = -1 +- 0
// expect c(4.75) = 3 +- 0
// expect d(0) = -1 +- 0
// expect d(0.75) = -1 +- 0
// expect d(1.25) = 0 +- 0
// expect d(3.75) = 0 +- 0
// expect d(4.25) = 1 +- 0
// expect m(0) = 1.5 +- 1e-12
// expect m(0.75) = 0.25 +- 1e-9
// expect m(4.75) = 0.25 +- 1e-9
// expect r(0) = -0.5 +- 1e-12
// expect r(0.75) = -1.75 +- 1e-9
// expect r(2) = -0.5 +- 1e-9
// expect r(4.25) = 1.75 +- 1e-9
// expect r(4.75) = 0.25 +- 1e-9
// negative divisors: div(x, -2) changes at x = -2 and 2, mod(x, -2) lies in (-2, 0]
// expect dn(0) = 1 +- 0
// expect dn(0.75) = 0 +- 0
// expect dn(4.75) = -1 +- 0
// expect mn(0.25) = -0.25 +- 1e-9
// expect mn(1) = -1.5 +- 1e-9
// expect mn(3) = -1.5 +- 1e-9
// a whole number at the start that falls: one change at once, then one at each whole number
// expect falling(5) = 6 +- 0
// expect w(0) = 3 +- 1e-12
// section 3.7.2: of time only, whole numbers are met exactly
// expect t_k(5) = 4.5 +- 1e-12
// expect k(0.5) = 1 +- 0
// expect k(0.5-) = 0 +- 0
// Integer arguments: no rounding
// expect id(5) = -3 +- 0
// expect im(5) = 1 +- 0
// expect ir(5) = -1 +- 0
// section 3.7.1: sign and abs of both signs
// expect s(2.25) = -1 +- 0
// expect s(2.75) = 1 +- 0
model RulesInteger
  Real x(start = -2.5, fixed = true), w(start = 3, fixed = true);
  Integer i = integer(x), j = integer(w), k = integer(2*time), n = -7, id = div(n, 2), im = mod(n, 2), ir = rem(n, 2);
  Real f = floor(x), c = ceil(x), d = div(x, 1.5), m = mod(x, 2), r = rem(x, 2), dn = div(x, -2), mn = mod(x, -2), s = sign(x) + 0*abs(x);
  Integer falling(start = 0, fixed = true);
  discrete Real t_k(start = 0, fixed = true);
equation
  der(x) = 1;
  der(w) = -1.01;
  when change(j) then
    falling = pre(falling) + 1;
  end when;
  when k >= 9 then
    t_k = time;
  end when;
end RulesInteger;
