// Twisting control that is not to slide: it is told where the events accumulate, and the run does not go on
// with some 100,000 events in each second. T = 5.701173, see twist_times.
// run: --stop 30 --chatter keep
// solvers: rk45 rosenbrock cvode ida
// expect exit 5
// expect error R609 at 14
// expect message near time 5.7
// expect events <= 20000
model TwistTold
  parameter Real a = 2.1, b = 0.8;
  Real x(start = 1.1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = (if x > 0 then -a else a) + (if v > 0 then -b else b);
end TwistTold;
