// Two inertias on a rigid shaft through an ideal gear of ratio 2: one degree of freedom.
// (J1*r^2 + J2)*der(w2) = r*tau, with J1 = 1, J2 = 4, r = 2, tau = 2: der(w2) = 0.5
// run: --stop 4
// expect w2(4) = 2 +- 1e-6
// expect w1(4) = 4 +- 1e-6
// expect phi2(4) = 4 +- 1e-6
// expect tau2(4) = 2 +- 1e-6
model RigidShaft
  parameter Real J1 = 1, J2 = 4, r = 2, tau = 2;
  Real phi1, w1(start = 0, fixed = true), phi2(start = 0, fixed = true), w2;
  Real tau1 "Torque from inertia 1 into the gear", tau2 "Torque from the gear into inertia 2";
equation
  w1 = der(phi1);
  w2 = der(phi2);
  J1*der(w1) = tau - tau1;
  J2*der(w2) = tau2;
  phi1 = r*phi2;
  tau2 = r*tau1;
end RigidShaft;
