// The valve is open as long as the pressure is high, which falls at once when it is open, and nothing remembers that it was: no value
// of the condition agrees with the equations.
// expect exit 4
// expect error R607 at 10
// expect message no values of 1 relation agree with the equations that it switches
model bad_relation_switches_plant
  Boolean open;
  Real p = if open then time - 0.3 else time;
equation
  open = p > 0.5;
end bad_relation_switches_plant;
