// With --chatter keep noEvent is what it says: no event, and the step that it limits is told.
// run: --stop 0.45 --chatter keep --rtol 1e-4
// solvers: auto rk45 rosenbrock
// expect v(0.45) = 0 +- 1e-4
// expect events = 0
// expect error R634 at 10
model QuietKeep
  Real v(start = 0.3, fixed = true);
equation
  der(v) = 0.2 - (if noEvent(v > 0) then 1.1 else -1.1);
end QuietKeep;
