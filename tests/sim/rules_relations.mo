// Relations are held between events and literal at events (MLS 3.6 section 8.5); state events are on the right side of the root.
// run: --stop 4 --intervals 16
// solvers: rk45 cvode ida rosenbrock euler
// section 8.5: y has the value of the last event; the value at the event is that of the new side
// expect held(1-) = 0 +- 0
// expect held(1) = 1 +- 0
// section 8.5: at the event the relation holds as it stands, for both directions
// expect up(4) = 1 +- 1e-9
// expect down(4) = -1 +- 1e-9
// expect up_holds(4) = 1 +- 0
// expect down_holds(4) = 1 +- 0
// section 3.7.5.2 noEvent: literal, no event; section 12.8: no events inside of functions
// expect literal(2.5) = 1 +- 0
// expect called(2.5) = 1 +- 0
// section 3.7.5.1 smooth: the value is that of its argument
// expect soft(1) = 0.5 +- 1e-12
// expect soft(4) = 4 +- 1e-9
// section 3.8.3: a Boolean of relations is discrete-time
// expect both(0.5) = 0 +- 0
// expect both(1.5) = 1 +- 0
// expect both(3.5) = 0 +- 0
// expect state_events <= 4
// expect state_events >= 3
model RulesRelations
  function step
    input Real u;
    output Real y;
  algorithm
    y := if u > 0 then 1 else 0;
  end step;
  Real x(start = 0, fixed = true), z(start = 2, fixed = true);
  Real held = if x > 1 then 1 else 0, literal = if noEvent(x > 2.25) then 1 else 0, called = step(x - 2.25);
  Real soft = smooth(0, if x > 0.5 then x - (if x < 2 then 0.5*(2 - x) else 0) else 0);
  Boolean both = x > 1 and not (z < -1);
  discrete Real up(start = 0, fixed = true), down(start = 0, fixed = true);
  discrete Boolean up_holds(start = false, fixed = true), down_holds(start = false, fixed = true);
equation
  der(x) = 1;
  der(z) = -1;
  when x > 1 then
    up = x;
    up_holds = x >= 1;
  end when;
  when z < -1 then
    down = z;
    down_holds = z <= -1;
  end when;
end RulesRelations;
