// Inside noEvent a relation is taken literally: nothing slides, the fixed step goes to and fro.
// run: --stop 1 --solver euler --intervals 100
// expect slides = 0
// expect events = 0
// expect x(1) = 0 +- 0.011
// expect max(u) = 1 +- 0
model SlideNoEvent
  Real x(start = 0.505, fixed = true), u;
equation
  u = if noEvent(x > 0) then -1 else 1;
  der(x) = u;
end SlideNoEvent;
