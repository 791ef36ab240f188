model Pendulum "A mass on a rod swings in air"
  parameter Real m(unit = "kg") = 1 "Mass at the end of the rod";
  parameter Real L(unit = "m") = 0.5 "Length of the rod";
  parameter Real d(unit = "N.m.s/rad") = 0.02 "Damping by the air";
  constant Real g(unit = "m/s2") = 9.81 "Acceleration of gravity";
  Real phi(unit = "rad", start = 2, fixed = true) "Angle from the vertical, 0 when it hangs";
  Real w(unit = "rad/s", start = 0, fixed = true) "Angular velocity";
  output Real x(unit = "m") "Place of the mass, to the right";
  output Real y(unit = "m") "Place of the mass, upwards";
  Real energy(unit = "J") "Kinetic and potential energy; it can only fall";
equation
  der(phi) = w;
  // moments about the pivot
  m*L^2*der(w) = -m*g*L*sin(phi) - d*w;

  // what one wants to see
  x = L*sin(phi);
  y = -L*cos(phi);
  energy = m*(L*w)^2/2 + m*g*y;
  annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-6, Interval = 0.02));
end Pendulum;
