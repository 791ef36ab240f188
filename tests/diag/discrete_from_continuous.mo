model Hold
  Real u(start = 1, fixed = true);
  discrete Real y;
equation
  der(u) = -u;
  y = 2*u;
end Hold;
// expect V001 at 6:3
