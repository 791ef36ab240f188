// A pendulum in Cartesian coordinates; its start values say which states are wanted.
model Index3Pendulum
  parameter Real L = 1, g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy, F;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = L^2;
end Index3Pendulum;
