// A surface that moves, from the start on; another part of the model reads what the relay does on average.
// solvers: auto rk45 rkf45 rk4 rosenbrock cvode ida
// run: --stop 10
// expect x(10) = sin(10) +- 1e-6
// expect w(10) = -sin(10)/2 +- 1e-5
// expect s(4) = -cos(4)/2 +- 1e-5
// expect events = 0
// expect slides = 1
model SlideMoving
  Real x(start = 0, fixed = true), w(start = 0, fixed = true), s;
equation
  s = if x > sin(time) then 1 else -1;
  der(x) = -2*s;
  der(w) = s;
end SlideMoving;
