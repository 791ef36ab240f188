model HalfWaveRectifier "One ideal diode charges a capacitor"
  // Otter, Elmqvist, Mattsson 1999, figure 4: current and voltage of the diode, its curve parameter and its state depend on each
  // other; they are found together at each event.
  import NuSim.Electrical.*;
  parameter NuSim.Level level = NuSim.Level.Ideal;
  SineVoltage source(U = 10, f = 1);
  Resistor r1(R = 1), r2(R = 50);
  Diode diode(level = level);
  Capacitor c(C = 0.1, u(start = 0, fixed = true));
  Ground ground;
equation
  connect(source.p, r1.p);
  connect(r1.n, diode.p);
  connect(diode.n, c.p);
  connect(diode.n, r2.p);
  connect(c.n, source.n);
  connect(r2.n, source.n);
  connect(ground.p, source.n);
  annotation(experiment(StopTime = 2, Tolerance = 1e-9, Interval = 0.01));
  // while it conducts a first-order lag follows the source, while it blocks the capacitor discharges with r2*c = 5 s; where it
  // begins to conduct again, source and capacitor agree
  // expect time(#1) = 0.33873964506940 +- 1e-9
  // expect c.u(#1) = 8.485446426021 +- 1e-7
  // expect time(#2) = 1.128963980040572 +- 1e-9
  // expect c.u(#2) = 7.244971513376 +- 1e-7
  // expect time(#3) = 1.3209885517893 +- 1e-9
  // expect c.u(#3) = 9.021649921980 +- 1e-7
  // expect c.u(2) = 7.876037687598 +- 1e-7
  // expect diode.off(0.5) = 1
  // expect diode.off(1.2) = 0
  // expect state_events = 3
  // expect min(diode.i) >= -1e-9
  // expect max(diode.u) <= 1e-9
end HalfWaveRectifier;
