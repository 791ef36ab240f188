// As zeno_ball, with a ball that hardly loses speed.
// run: --stop 20
// solvers: auto rk45
// expect time(#181) = sqrt(2/9.81)*39 +- 1e-8
// expect h(20) = 0 +- 1e-9
// expect v(20) = 0 +- 1e-9
// expect min(h) >= -1e-9
// expect contacts = 1
model ZenoSlow
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.95*pre(v));
  end when;
end ZenoSlow;
