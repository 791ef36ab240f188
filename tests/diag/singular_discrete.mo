model DiscreteUnused
  Real x(start = 1, fixed = true);
  Boolean on, ready;
equation
  der(x) = if on then -x else 0;
  on = x > 0.5;
  on = x > 0.7;
end DiscreteUnused;
// expect S101 at 3:15
// expect S103 at 7:3
