// A state that has come to rest where two surfaces meet is noise of 1e-18 from then on, which no number of recorded points makes
// smooth: those that its absolute tolerance asks for are enough.
// run: --stop 4 --intervals 400
// solvers: rk45 rosenbrock cvode
// expect apart(4) = 0.23*0.2 +- 1e-6
// expect apart(2.6) = 0.23*0.2 +- 1e-6
// expect rhs_evaluations = 10000 +- 10000
model TwistDelay
  Real x(start = 0.2, fixed = true), v(start = 0, fixed = true);
  Real late(start = 0, fixed = true), now(start = 0, fixed = true), apart = late - now;
equation
  der(x) = v;
  der(v) = -4*sign(x) - 1.5*sign(v) + 0.3*cos(2*time);
  der(late) = delay(x, 0.23);
  der(now) = x;
end TwistDelay;
