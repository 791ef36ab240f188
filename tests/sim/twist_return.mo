// A load that swings beyond a twisting control's switch of x and back: then the turns begin anew, inside of the bands of both relations, and
// are over at once. x never moves.
// run: --stop 12
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect x(4) = 0 +- 1e-9
// expect x(8) = 0 +- 1e-9
// expect x(12) = 0 +- 1e-9
// expect v(12) = 0 +- 1e-9
// expect u(11) = -2.4*sin(0.7*11-0.3) +- 2e-4
// expect no R609
// expect events <= 500
model TwistReturn
  parameter Real a = 2, b = 1;
  Real x(start = 0.02, fixed = true), v(start = 0, fixed = true), u;
equation
  der(x) = v;
  u = -a*sign(x) - b*sign(v);
  der(v) = u + 2.4*sin(0.7*time - 0.3);
end TwistReturn;
