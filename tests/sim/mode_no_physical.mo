// The diode of examples/Commutation.mo with a current below which it does not conduct: no mode agrees with itself, and the run
// says which ones lead to each other. The current has been 2 up to there.
// run: --stop 2
// expect exit 4
// expect error R620
// expect message no mode agrees with its own values at time 1
// expect i(1) = 2 +- 1e-12
model NoPhysicalMode
  Real i(start = 2, fixed = true), u, iSwitch, iDiode;
  Boolean closed = time < 1, conducts(start = false);
equation
  der(i) = u;
  i = iSwitch + iDiode;
  conducts = not closed and (-u > 0 or iDiode > 3);
  if closed then
    u = 0;
    iDiode = 0;
  elseif conducts then
    u = 0;
    iSwitch = 0;
  else
    iSwitch = 0;
    iDiode = 0;
  end if;
end NoPhysicalMode;
