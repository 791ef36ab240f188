// A pendulum in Cartesian coordinates that turns over: neither x nor y can be the state all the time. 20 s are 20 turns and some;
// the same pendulum by its angle gives the reference, and energy and length are conserved.
// run: --stop 20 --rtol 1e-10
// expect energy(20) = 32 - 9.81 +- 1e-6
// expect radius(20) = 1 +- 1e-9
// expect ex(20) = 0 +- 1e-5
// expect ey(20) = 0 +- 1e-5
// expect ex(10) = 0 +- 1e-5
model TurningOver
  parameter Real L = 1, g = 9.81, m = 1;
  Real x(start = 0, fixed = true), y(start = -1), vx(start = 8, fixed = true), vy, F;
  Real phi(start = 0, fixed = true), w(start = 8, fixed = true);
  Real energy = m*(vx^2 + vy^2)/2 + m*g*y, radius = sqrt(x^2 + y^2), ex = x - L*sin(phi), ey = y + L*cos(phi);
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  x^2 + y^2 = L^2;
  der(phi) = w;
  der(w) = -g/L*sin(phi);
end TurningOver;
