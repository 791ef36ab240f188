// Sliding that ends: the drift t/4 grows beyond what the relay can hold, at t = 4.
// solvers: auto rk45 rkf45 rk4 rosenbrock cvode ida
// run: --stop 6 --rtol 1e-8
// x = 1 - t + t^2/8 until then, first 0 at 4 - sqrt(8)
// expect time(#1) = 4 - sqrt(8) +- 1e-7
// expect x(3) = 0 +- 1e-9
// expect s(3) = 0.75 +- 1e-7
// expect time(#2) = 4 +- 1e-6
// expect s(5.1) = 1 +- 0
// expect x(5.1) = 1.1*1.1/8 +- 1e-6
// expect x(6) = 0.5 +- 1e-6
// expect events = 2
model SlideExit
  Real x(start = 1, fixed = true), s;
equation
  s = if x > 0 then 1 else -1;
  der(x) = -s + time/4;
end SlideExit;
