// The relay of slide_relay, each change an event.
// run: --stop 10 --chatter keep
// expect exit 5
// expect error R609 at 9
// expect x(2) = 0 +- 1e-6
model SlideKeep
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0 then -0.5 else 1.5;
end SlideKeep;
