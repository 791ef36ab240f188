model Commutation "A switch cuts an inductor off: the diode takes its current over at once"
  // Mosterman, Biswas: A theory of discontinuities in physical system models. J. Franklin Inst. 335B, 1998. The mode without any path
  // for the current would take it away; the voltage has a Dirac pulse there, which makes the diode conduct, and the mode counts for
  // nothing (a mythical mode): the current goes on from what it was.
  parameter Real L(unit = "H") = 1;
  Real i(unit = "A", start = 2, fixed = true), u(unit = "V") "Of the inductor";
  Real iSwitch(unit = "A"), iDiode(unit = "A");
  Boolean closed = time < 1, conducts(start = false);
equation
  L*der(i) = u;
  i = iSwitch + iDiode;
  conducts = not closed and (-u > 0 or iDiode > 0);
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
  annotation(experiment(StopTime = 2, Interval = 0.1));
  // expect i(1) = 2 +- 1e-12
  // expect i(2) = 2 +- 1e-12
  // expect iDiode(2) = 2 +- 1e-12
  // expect conducts(2) = 1
end Commutation;
