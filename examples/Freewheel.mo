model Freewheel "An inductive load behind one ideal diode; a second one carries its current on"
  // Where the source is 0 both diodes conduct for one instant: the equations have many solutions there, and none a moment later.
  // The mode that lasts is found by looking ahead.
  import NuSim.Electrical.*;
  parameter NuSim.Level level = NuSim.Level.Ideal;
  SineVoltage source(U = 100, f = 50);
  Diode diode(level = level), freewheel(level = level);
  Inductor l(L = 0.05, i(start = 0, fixed = true));
  Resistor r(R = 10);
  Ground ground;
equation
  connect(source.p, diode.p);
  connect(diode.n, l.p);
  connect(freewheel.n, l.p);
  connect(l.n, r.p);
  connect(r.n, source.n);
  connect(freewheel.p, source.n);
  connect(ground.p, source.n);
  annotation(experiment(StopTime = 0.035, Tolerance = 1e-9, Interval = 1e-4));
  // time constant 5 ms, reactance 5 pi Ohm
  // expect time(#1) = 0.01 +- 1e-12
  // expect l.i(#1) = 100*5*pi/(100 + 25*pi**2)*(1 + exp(-2)) +- 1e-7
  // expect time(#2) = 0.02 +- 1e-12
  // expect l.i(#2) = 100*5*pi/(100 + 25*pi**2)*(1 + exp(-2))*exp(-2) +- 1e-7
  // expect time(#3) = 0.03 +- 1e-12
  // expect diode.i(0.015) = 0 +- 1e-12
  // expect freewheel.i(0.025) = 0 +- 1e-12
  // expect state_events = 3
end Freewheel;
