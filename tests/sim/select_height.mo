// A pendulum of which y and vy are fixed: at the bottom x does not follow from y, so that x takes over as the state. The same
// pendulum by its angle gives the reference.
// run: --stop 3 --rtol 1e-9
// expect energy(3) = 9.81*(-0.6) +- 1e-6
// expect radius(3) = 1 +- 1e-9
// expect ex(0.7) = 0 +- 1e-6
// expect ex(3) = 0 +- 1e-6
// expect ey(3) = 0 +- 1e-6
model HeightAsState
  parameter Real L = 1, g = 9.81, m = 1;
  Real x(start = 0.8), y(start = -0.6, fixed = true), vx, vy(start = 0, fixed = true), F;
  Real phi(start = acos(0.6), fixed = true), w(start = 0, fixed = true);
  Real energy = m*(vx^2 + vy^2)/2 + m*g*y, radius = sqrt(x^2 + y^2), ex = x - L*sin(phi), ey = y + L*cos(phi);
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  x^2 + y^2 = L^2;
  der(phi) = w;
  der(w) = -g/L*sin(phi);
end HeightAsState;
