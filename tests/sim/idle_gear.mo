// A gear that is held tight carries nothing, but the torques around it balance each other and grow: what the gear carries is 0 but for
// the roundings of the system that they all belong to. These are no events (idle.forth), and neither are those at the end of a chain
// of equations (above).
// run: --stop 5
// solvers: auto rk45 rosenbrock cvode ida
// expect max(gear.w) <= 0
// expect min(gear.w) >= 0
// expect state_events = 0
// expect n(5) = 0
// expect seen(5) = 0
// expect far.tau(5) = 0.7*60*sin(1.5) +- 1e-6
package IdleGearParts
  connector Shaft
    Real phi;
    flow Real tau;
  end Shaft;
  partial model Two
    Shaft a, b;
  end Two;
  model Inertia
    extends Two;
    parameter Real J;
    Real phi, w, acc;
  equation
    a.phi = phi;
    b.phi = phi;
    w = der(phi);
    acc = der(w);
    J*acc = a.tau + b.tau;
  end Inertia;
  model Spring
    Shaft b;
  equation
    b.tau = 1e4*b.phi;
  end Spring;
  model Gear "holds itself as long as the torque that this takes is small"
    extends Two;
    parameter Real ratio = 3, eta = 0.8;
    Real w, acc, s, loss, most;
    Boolean turns, forth;
  equation
    a.phi = ratio*b.phi;
    w = der(a.phi);
    acc = der(w);
    0 = b.tau + ratio*(a.tau - loss);
    forth = a.tau >= 0;
    most = 9*(1 + time);
    turns = s > most or s < -most;
    loss = if turns then (if forth then 1 - eta else 1 - 1/eta)*a.tau else s;
    acc = if turns then s - loss else 0;
  end Gear;
  model Clutch "held, or slides with the torque that presses it"
    extends Two;
    parameter Real grip;
    Real p, rel(start = 0, fixed = true), w(start = 0, fixed = true), acc, s, tau;
    Boolean slides;
  equation
    rel = b.phi - a.phi;
    w = der(rel);
    acc = der(w);
    a.tau + b.tau = 0;
    b.tau = tau;
    slides = s > grip*p or s < -grip*p;
    acc = if slides then s - grip*p else 0;
    tau = if slides then grip*p else s;
  end Clutch;
  model Drag "slides from the beginning, at rest"
    extends Two;
    Real p, rel(start = 0, fixed = true), w(start = 0, fixed = true), acc, s, tau;
  equation
    rel = b.phi - a.phi;
    w = der(rel);
    acc = der(w);
    a.tau + b.tau = 0;
    b.tau = tau;
    acc = s - 0.7*p;
    tau = 0.7*p;
  end Drag;
  model Brake
    Shaft a;
    Real w, acc, s, tau;
  equation
    w = der(a.phi);
    acc = der(w);
    acc = 0*s;
    tau = s;
    a.tau = tau;
  end Brake;
end IdleGearParts;

model IdleGear
  import IdleGearParts.*;
  Real p = 60*sin(0.3*time);
  Inertia first(J = 1.3, phi(start = 0, fixed = true), w(start = 0, fixed = true)), second(J = 0.7), third(J = 2.1);
  Gear gear;
  Clutch clutch(grip = 7);
  Drag far;
  Spring spring;
  Brake brake;
  Integer n(start = 0, fixed = true), seen(start = 0, fixed = true);
  Real q(start = 0.2, fixed = true), c[15];
  Boolean above;
equation
  connect(spring.b, first.a);
  connect(first.b, gear.a);
  connect(gear.b, clutch.a);
  connect(clutch.b, second.a);
  connect(second.b, far.a);
  connect(far.b, third.a);
  connect(third.b, brake.a);
  clutch.p = p;
  far.p = p;
  when change(gear.forth) then
    n = pre(n) + 1;
  end when;
  der(q) = 1.3;
  c[1] = 3*q - 2.1*q - 0.9*q;
  for i in 2:15 loop
    c[i] = c[i - 1]*1.7;
  end for;
  above = c[15] >= 0;
  when change(above) then
    seen = pre(seen) + 1;
  end when;
end IdleGear;
