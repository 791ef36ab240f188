// The force in the rod and the accelerations are unknowns of IDA, not of f; length, energy and period stay what they are.
// run: --formulation dae --stop 3 --rtol 1e-8
// expect radius(3) = 1 +- 1e-6
// expect energy(3) = 9.81*(-0.6) +- 1e-4
// expect events = 0
model ImplicitPendulum
  parameter Real L = 1, g = 9.81, m = 1;
  Real x(start = 0.8, fixed = true), y(start = -0.6), vx(start = 0, fixed = true), vy, F;
  Real energy = m*(vx^2 + vy^2)/2 + m*g*y;
  Real radius = sqrt(x^2 + y^2);
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  x^2 + y^2 = L^2;
end ImplicitPendulum;
