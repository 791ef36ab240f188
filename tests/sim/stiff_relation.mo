// y follows a sine so fast that for a while it stays behind by less than the tolerance, and a relation asks on which side. Beyond its
// stability limit an explicit method moves y to and fro there, and after an event the error of a step may turn the relation back: these
// are no events, but for a few that no shorter step can deny. What changes is the side to which the sine moves: cos(t - 1/rate) = 0.
// run: --stop 10 --intervals 100
// solvers: auto rk45 cvode ida rosenbrock
// expect state_events >= 3
// expect state_events <= 7
// expect time(#1) = pi/2 + 1e-4 +- 5e-3
// expect y(10) = sin(10 - 1e-4) +- 1e-5
model StiffRelation
  constant Real rate = 1e4;
  Real y(start = -1/rate, fixed = true);
  Boolean up;
equation
  der(y) = rate*(sin(time) - y);
  up = sin(time) > y;
end StiffRelation;
