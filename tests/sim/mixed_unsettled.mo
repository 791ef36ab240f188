// No value of the relation agrees with the equation that it switches: reported, not looped.
// run: --stop 1
// expect exit 4
// expect error R607
model MixedUnsettled
  Real y, x = time - 0.5;
equation
  y = if y > 0 and x > 0 then -1 else if x > 0 then 1 else 0;
end MixedUnsettled;
