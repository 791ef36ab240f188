model BridgeRectifier "Four ideal diodes and a smoothing capacitor"
  // Otter, Remelhe, Engell, Mosterman 2000, section 3.1 and figure 7. For 64 % of the time all diodes block and the potentials of
  // the source float: the equations have many solutions then, and the one next to the previous one is taken. Times and voltages
  // below come from an independent computation with more digits.
  import NuSim.Electrical.*;
  parameter NuSim.Level level = NuSim.Level.Ideal;
  SineVoltage source(U = 220, f = 50);
  Resistor r1(R = 20), r2(R = 500);
  Bridge bridge(level = level);
  Capacitor c(C = 1e-4, u(start = 0, fixed = true));
  Ground ground;
equation
  connect(source.p, r1.p);
  connect(r1.n, bridge.a);
  connect(source.n, bridge.b);
  connect(bridge.p, r2.p);
  connect(bridge.p, c.p);
  connect(bridge.n, r2.n);
  connect(bridge.n, c.n);
  connect(bridge.n, ground.p);
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-9, Interval = 1e-4), Documentation(figures = {
    Figure(title = "Bridge rectifier, R2 = 500 Ohm, C = 0.1 mF", identifier = "voltages", plots = {
      Plot(y = Axis(label = "voltage"), curves = {Curve(y = source.u, legend = "source"), Curve(y = c.u, legend = "load")})})}));
  // expect time(#1) = 0.006858393589 +- 1e-10
  // expect c.u(#1) = 183.5584796846 +- 1e-6
  // expect time(#2) = 0.012665361767 +- 1e-10
  // expect c.u(#2) = 163.4315002027 +- 1e-6
  // track bridge.d1.off | off | first = 0.006858393589 +- 1e-10
  // track bridge.d1.off | not off | entered = 5 +- 0
  // expect time(#3) = 0.016511680635 +- 1e-10
  // expect c.u(#3) = 195.6536063859 +- 1e-6
  // expect time(#4) = 0.022864273756 +- 1e-10
  // expect c.u(#4) = 172.3097826773 +- 1e-6
  // expect c.u(0.1) = 183.957185135586 +- 1e-6
  // expect state_events = 19
end BridgeRectifier;
