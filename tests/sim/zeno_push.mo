// The floor begins to move upwards at once, and throws the ball that rests on it; on the moving floor it comes to rest again.
// run: --stop 6
// solvers: auto rk45 rosenbrock
// expect y(2.4) = 0 +- 1e-9
// thrown with 2 + 0.5*2
// expect v(3) = 3 +- 1e-6
// expect y(3.012) = 0.036 - 9.81/2*0.012*0.012 +- 1e-6
// at rest after 2*(3 - 2)/g/(1 - 0.5) more
// expect y(5.4) = 2*2.4 +- 1e-5
// expect v(6) = 2 +- 1e-6
// expect contacts = 2
model ZenoPush
  Real y(start = 1, fixed = true), v(start = 0, fixed = true), s(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(y) = v;
  der(v) = -9.81;
  der(s) = w;
  der(w) = 0;
  when y <= s then
    reinit(v, w + 0.5*(w - pre(v)));
  end when;
  when time >= 3 then
    reinit(w, 2);
  end when;
end ZenoPush;
