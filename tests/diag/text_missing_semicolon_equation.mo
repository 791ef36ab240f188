model Mass
  Real v(start = 0, fixed = true);
  Real s(start = 0, fixed = true);
equation
  der(s) = v
  der(v) = 1;
end Mass;
// expect P010 at 5:13
