// Twisting control, many turns: the events accumulate at T = (sqrt(2/(a - b)) + sqrt(2*(a - b))/(a + b))*sqrt(x0)/(1 - sqrt((a - b)/(a + b))),
// where the run was to end.
// run: --stop 100 --zeno stop
// solvers: auto rk45 rkf45 rosenbrock ida
// expect time = sqrt(0.2)*(sqrt(2/(9-0.5))+sqrt(2*(9-0.5))/(9+0.5))/(1-sqrt((9-0.5)/(9+0.5))) +- 2e-8
// expect slides = 2
// expect no R609
model TwistStopSlow
  parameter Real a = 9, b = 0.5;
  Real x(start = 0.2, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -a*sign(x) - b*sign(v);
end TwistStopSlow;
