model GtoChopper "A GTO thyristor chops a voltage; a diode carries the current of the load on"
  import NuSim.Electrical.*;
  parameter NuSim.Level level = NuSim.Level.Ideal;
  ConstantVoltage source(U = 100);
  GTO gto(level = level, fire = mod(time, 1e-3) < 4e-4);
  Diode diode(level = level);
  Resistor r(R = 2);
  Inductor l(L = 2e-3, i(start = 0, fixed = true));
  Ground ground;
equation
  connect(source.p, gto.p);
  connect(gto.n, r.p);
  connect(diode.n, r.p);
  connect(r.n, l.p);
  connect(l.n, source.n);
  connect(diode.p, source.n);
  connect(ground.p, source.n);
  annotation(experiment(StopTime = 5e-3, Tolerance = 1e-9, Interval = 1e-4));
  // time constant 1 ms
  // expect l.i(4e-4) = 50*(1 - exp(-0.4)) +- 1e-7
  // expect l.i(1e-3) = 50*(1 - exp(-0.4))*exp(-0.6) +- 1e-7
  // expect l.i(5e-3) = 50*(1 - exp(-0.4))*exp(-0.6)*(1 - exp(-5))/(1 - exp(-1)) +- 1e-6
  // expect diode.i(2e-4) = 0 +- 1e-12
  // expect gto.i(6e-4) = 0 +- 1e-12
  // expect gto.u(6e-4) = 100 +- 1e-9
end GtoChopper;
