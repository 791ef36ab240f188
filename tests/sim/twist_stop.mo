// Twisting control, some turns: the events accumulate at T = (sqrt(2/(a - b)) + sqrt(2*(a - b))/(a + b))*sqrt(x0)/(1 - sqrt((a - b)/(a + b))),
// where the run was to end.
// run: --stop 100 --zeno stop
// solvers: auto rk45 rkf45 rosenbrock ida
// expect time = sqrt(1.3)*(sqrt(2/(1.7-0.6))+sqrt(2*(1.7-0.6))/(1.7+0.6))/(1-sqrt((1.7-0.6)/(1.7+0.6))) +- 2e-8
// expect slides = 2
// expect no R609
model TwistStop
  parameter Real a = 1.7, b = 0.6;
  Real x(start = 1.3, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -a*sign(x) - b*sign(v);
end TwistStop;
