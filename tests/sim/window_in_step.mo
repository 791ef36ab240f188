// A relation that is true only for a short while, inside of one step: all solvers find each crossing.
// cos(25 t) > 0.9998 at the start and around t = 2 pi k/25, k = 1 to 31: 0.8 ms before and after
// run: --stop 8 --intervals 2 --rtol 1e-8
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect n(8) = 1 + 2*31 +- 0
// expect events = 63
// expect first(8) = acos(0.9998)/25 +- 1e-8
// expect last(8) = (2*pi*31 + acos(0.9998))/25 +- 3e-5
model WindowInStep
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  discrete Real first(start = 0, fixed = true), last(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -625*x;
  when {x > 0.9998, x <= 0.9998} then
    n = pre(n) + 1;
    first = if pre(n) == 0 then time else pre(first);
    last = time;
  end when;
end WindowInStep;
