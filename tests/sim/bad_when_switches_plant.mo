// The valve opens because of the pressure, which falls at once when it is open: no value of the condition agrees with the equations.
// expect exit 4
// expect error R607 at 10
// expect message no values of 1 relation agree with the equations that it switches
model bad_when_switches_plant
  Boolean open(start = false, fixed = true);
  Real p;
equation
  p = if open then time - 0.3 else time;
  when p > 0.5 then
    open = true;
  end when;
end bad_when_switches_plant;
