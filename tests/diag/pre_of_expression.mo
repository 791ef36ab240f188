model Edge
  Real x = time;
  Real y = pre(2*x);
end Edge;
// expect D404 at 3:12
