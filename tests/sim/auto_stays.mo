// A discontinuity without events is no stiffness: the method that gains nothing is left, and not tried at each step again.
// run: --stop 0.401 --intervals 5
// expect solver_changes <= 8
// expect v(0.401) = 0 +- 1e-5
model AutoStays
  Real v(start = 0.6, fixed = true);
equation
  der(v) = noEvent(if v > 0 then -1.5 else 1.2);
end AutoStays;
