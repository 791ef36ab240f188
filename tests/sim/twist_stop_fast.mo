// Twisting control, few turns: the events accumulate at T = (sqrt(2/(a - b)) + sqrt(2*(a - b))/(a + b))*sqrt(x0)/(1 - sqrt((a - b)/(a + b))),
// where the run was to end.
// run: --stop 100 --zeno stop
// solvers: auto rk45 rkf45 rosenbrock ida
// expect time = sqrt(0.7)*(sqrt(2/(1.05-0.98))+sqrt(2*(1.05-0.98))/(1.05+0.98))/(1-sqrt((1.05-0.98)/(1.05+0.98))) +- 2e-8
// expect slides = 2
// expect no R609
model TwistStopFast
  parameter Real a = 1.05, b = 0.98;
  Real x(start = 0.7, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -a*sign(x) - b*sign(v);
end TwistStopFast;
