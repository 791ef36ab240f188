// A contact that ends: the floor falls away, faster and faster, and the ball leaves it when it falls faster than the ball would.
// run: --stop 5 --intervals 1000
// solvers: auto rk45 rosenbrock ida
// expect y(2) = 0 +- 1e-9
// on the floor: s = -g (t - 3)^3/6
// expect y(3.5) = -9.81*0.125/6 +- 1e-6
// expect v(3.5) = -9.81*0.125 +- 1e-6
// from t = 4 on it falls freely
// expect y(4.5) = -9.81/6 - 9.81/2*0.5 - 9.81/2*0.25 +- 1e-5
// expect v(4.5) = -9.81/2 - 9.81*0.5 +- 1e-5
// expect contacts = 1
model ZenoExit
  parameter Real g = 9.81;
  Real y(start = 1, fixed = true), v(start = 0, fixed = true), s(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(y) = v;
  der(v) = -g;
  der(s) = w;
  der(w) = if time < 3 then 0 else -g*(time - 3);
  when y <= s then
    reinit(v, w + 0.5*(w - pre(v)));
  end when;
end ZenoExit;
