// A ball that bounces ever faster: the events accumulate at sqrt(2/g)(1 + e)/(1 - e), and it rests from then on.
// run: --stop 20
// solvers: auto rk45 rkf45 rosenbrock
// expect time(#15) = sqrt(2/9.81)*3 +- 1e-8
// expect h(20) = 0 +- 1e-9
// expect v(20) = 0 +- 1e-9
// expect h(2) = 0 +- 1e-9
// expect v(2) = 0 +- 1e-9
// expect min(h) >= -1e-9
// expect contacts = 1
// expect events = 15
model ZenoBall
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
end ZenoBall;
