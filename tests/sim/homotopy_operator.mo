// homotopy(actual, simplified): a positive feedback with three solutions; the simplified form says that the lower one is meant.
// From the start value 0 Newton's method would take the middle one, where the amplifier cannot rest.
// run: --stop 1 --intervals 2
// expect v(0) = -15 +- 1e-9
// expect w(0) = 15 +- 1e-9
// expect v(1) = -15 +- 1e-9
model HomotopyOperator
  Real v, w, e, g;
equation
  e = 0.5*v;
  v = homotopy(actual = noEvent(if 1000*e > 15 then 15 elseif 1000*e < -15 then -15 else 1000*e), simplified = -15);
  g = 0.5*w;
  w = homotopy(actual = if 1000*g > 15 then 15 elseif 1000*g < -15 then -15 else 1000*g, simplified = 15);
end HomotopyOperator;
