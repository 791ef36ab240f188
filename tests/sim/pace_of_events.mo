// Two relays without hysteresis, kept from sliding, that begin exactly on their surfaces: everything is 0 there, so their bands are as
// small as their excursions, and time goes on by 1e-18 s with each event. At this pace the run has no end (EVENTS_IN_A_ROW).
// run: --stop 1 --chatter keep --intervals 5
// islands: on
// expect exit 5
// expect error R609
// expect message at this pace the run would need
model PaceOfEvents
  Real x[2](start = {0, 0}, each fixed = true);
equation
  der(x[1]) = if x[1] > 0 then -1 else 1;
  der(x[2]) = if x[2] > 0 then -3 else 1;
end PaceOfEvents;
