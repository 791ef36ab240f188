// Two motions slide along surfaces that move: x = 0.4 sin(1.7 time), y = 0.2 sin(2.3 time) from 0.14 on. The weights are known to
// some 1e-11 only, which must not become an error of the Jacobian that the length of steps has to make good.
// run: --stop 2 --intervals 100 --rtol 1e-9
// solvers: rk45 rosenbrock
// expect x(2) = 0.4*sin(3.4) +- 1e-8
// expect y(2) = 0.2*sin(4.6) +- 1e-8
// expect w(2) = 0.7*exp(-2) +- 1e-8
// expect slides = 2
// expect events = 2
// expect steps <= 1000
model SlideSmooth
  Real x(start = -0.3, fixed = true), y(start = -0.2, fixed = true), w(start = 0.7, fixed = true);
equation
  der(x) = (if x > 0.4*sin(1.7*time) then -3 else 3) + 0.5*w;
  der(y) = (if y > 0.2*sin(2.3*time) then -2 else 2) + 0.4*w*x;
  der(w) = -w;
end SlideSmooth;
