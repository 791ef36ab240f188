model TwoPoint "A two-point controller, and a root that must not see a negative number"
  // Each relation makes an event where it changes; one that depends on time only is a time event. Inside noEvent a relation is
  // taken literally (Otter, Elmqvist, Mattsson 1999, section 3).
  parameter Real y0 = 1;
  Real u = cos(time), y = if u > 0 then y0 else -y0;
  Real late = if time >= 2 then 1 else 0;
  Real x(start = 0, fixed = true) "Integral of y: exact only if the events are";
  Real level(start = 1, fixed = true) "Of a vessel that runs empty";
  Real outflow = if noEvent(level >= 0) then sqrt(level) else 0;
equation
  der(x) = y;
  der(level) = -outflow;
  annotation(experiment(StopTime = 6, Tolerance = 1e-9, Interval = 0.01));
  // expect time(#1) = pi/2 +- 1e-10
  // expect time(#2) = 2
  // expect time(#3) = 3*pi/2 +- 1e-10
  // expect y(#1-) = 1
  // expect y(#1) = -1
  // expect x(6) = 6 - 2*pi +- 1e-9
  // expect level(1) = 0.25 +- 1e-8
  // expect level(6) = 0 +- 1e-6
  // expect state_events = 2
  // expect time_events = 1
end TwoPoint;
