// A contact force acts in the equation of the state that bounces: what this equation reads keeps its own value, for other bodies, too.
// run: --stop 3
// solvers: rk45 rosenbrock cvode ida
// expect contacts = 1
// expect g(3) = 8 + 0.3*3 +- 1e-9
// expect floor(3) = 8 + 0.3*3 +- 1e-5
// expect floor(0.2) = 0 +- 1e-9
// expect a(3) = 0 +- 1e-6
// expect pull(3) = 8 + 0.3*3 +- 1e-6
// expect u(3) = -(8*3 + 0.15*9) +- 1e-5
// expect y(3) = 40 - (4*9 + 0.05*27) +- 1e-4
model ContactGravity
  Real h(start = 0.4, fixed = true), v(start = 0, fixed = true), floor "force per mass";
  Real y(start = 40, fixed = true), u(start = 0, fixed = true) "falls on";
  Real a "of what bounces", pull;
  Real g = 8 + 0.3*time;
equation
  der(h) = v;
  pull = g;
  der(v) = -pull;
  a = der(v);
  der(y) = u;
  der(u) = -g;
  floor = a + g;
  when h <= 0 then
    reinit(v, -0.45*pre(v));
  end when;
end ContactGravity;
