// Dense output of rkf45 needs a slope inside of the step. A row puts each part to its time; the slope of one must not move those that
// it reads away from there again: everything here is a straight line.
// run: --stop 1 --intervals 50
// solvers: rkf45 rk45
// expect x(0.02) = 1.5 - 0.06 +- 1e-12
// expect s(0.02) = 0.1 +- 1e-12
// expect s(0.24) = 1.2 +- 1e-12
// expect x(0.24) = 1.5 - 0.72 +- 1e-12
// expect h(0.1) = 2 - 3*0.01 +- 1e-12
model PartsRkf45
  Real x(start = 1.5, fixed = true), s(start = 0, fixed = true), h(start = 2, fixed = true), v(start = 0, fixed = true), power;
equation
  der(x) = if x > 0 then -3 else 1;
  power = if x > 0 then 5 else 0;
  der(s) = power + 0*h;
  der(h) = v;
  der(v) = -11 + power;
  when h < 0 then
    reinit(v, -0.5*pre(v));
  end when;
end PartsRkf45;
