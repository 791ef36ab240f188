model Edge
  Real x(start = 0, fixed = true);
  Boolean b;
equation
  der(x) = 1;
  b = edge(x);
end Edge;
// expect T304 at 6:12
