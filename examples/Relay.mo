// A relay without hysteresis: both of its fields lead to the surface x = 0. The motion slides along it, with one event, and the relay's output there
// is the average of its two values, 3/4 of the one and 1/4 of the other.
// expect x(2) = 0 +- 1e-12
// expect x(10) = 0 +- 1e-12
// expect u(10) = 0 +- 1e-12
// expect events = 1
// track x > 0 | sliding along x > 0 | share = 0.8 +- 1e-9
// expect slides = 1
model Relay "Slides along its switching surface"
  Real x(start = 1, fixed = true);
  Real u "output of the relay";
equation
  u = if x > 0 then -0.5 else 1.5;
  der(x) = u;
  annotation(experiment(StopTime = 10));
end Relay;
