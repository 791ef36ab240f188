model BridgeRectifierSmallLoad "The bridge with a capacitor so small that the voltage follows the source"
  import NuSim.Electrical.*;
  parameter NuSim.Level level = NuSim.Level.Ideal;
  SineVoltage source(U = 220, f = 50);
  Resistor r1(R = 20), r2(R = 10);
  Bridge bridge(level = level);
  Capacitor c(C = 1e-6, u(start = 0, fixed = true));
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
    Figure(title = "Bridge rectifier, R2 = 10 Ohm, C = 1 uF", identifier = "voltages", plots = {
      Plot(y = Axis(label = "voltage"), curves = {Curve(y = source.u, legend = "source"), Curve(y = c.u, legend = "load")})})}));
  // the diodes block for 5 microseconds around each zero of the source (independent computation with more digits)
  // expect time(#1) = 0.009996666690 +- 1e-10
  // expect c.u(#1) = 0.2303818191 +- 1e-7
  // expect time(#2) = 0.010001962772 +- 1e-10
  // expect c.u(#2) = 0.1356570265 +- 1e-7
  // expect c.u(0.1) = 0.165076168929 +- 1e-6
  // expect state_events = 19
end BridgeRectifierSmallLoad;
