// The same pendulum with y and vy as the only fixed values: at the bottom x does not follow from y. Better no result than a
// wrong one.
// run: --stop 3
// expect exit 4
// expect error R605
model HeightAsState
  parameter Real L = 1, g = 9.81, m = 1;
  Real x(start = 0.8), y(start = -0.6, fixed = true), vx, vy(start = 0, fixed = true), F;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  x^2 + y^2 = L^2;
end HeightAsState;
