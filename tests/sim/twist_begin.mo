// A twisting control with switches of two values begins at rest, and rests until it is hit; after that it comes to rest again, and again after x
// has been moved. With more friction than drive, a < b, it stays where it is.
// run: --stop 10
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect x(0.9) = 0 +- 1e-12
// expect x(1.1) = 0.6*0.1 - 3.5*0.005 +- 1e-6
// expect x(5) = 0 +- 1e-9
// expect v(5) = 0 +- 1e-9
// expect x(6.2) = -0.3 + 1.5*0.02 +- 1e-6
// expect x(10) = 0 +- 1e-9
// expect y(10) = 0.3 +- 1e-9
model TwistBegin
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  Real y(start = 0.3, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = (if x > 0 then -2.5 else 2.5) + (if v > 0 then -1 else 1);
  der(y) = w;
  der(w) = (if y > 0 then -1 else 1) + (if w > 0 then -2.5 else 2.5);
  when time >= 1 then
    reinit(v, 0.6);
  elsewhen time >= 6 then
    reinit(x, -0.3);
  end when;
end TwistBegin;
