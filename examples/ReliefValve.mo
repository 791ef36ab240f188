model ReliefValve "A valve is shut in a stream; the relief valve carries the flow off at its limit"
  import NuSim.Hydraulic.*;
  parameter NuSim.Level level = NuSim.Level.Ideal;
  Source inflow(q = 2);
  Volume chamber(C = 0.01, p(start = 2, fixed = true));
  Restriction way(R = 1);
  NuSim.Hydraulic.Valve outlet(level = level, open = time < 1);
  NuSim.Hydraulic.ReliefValve relief(level = level, limit = 100);
  Restriction seat(R = 0.5);
  Reservoir tank;
equation
  connect(inflow.port, chamber.port);
  connect(chamber.port, way.a);
  connect(way.b, outlet.a);
  connect(outlet.b, tank.port);
  connect(chamber.port, seat.a);
  connect(seat.b, relief.a);
  connect(relief.b, tank.port);
  annotation(experiment(StopTime = 3, Tolerance = 1e-9, Interval = 0.01));
  // expect chamber.p(0.9) = 2 +- 1e-9
  // expect chamber.p(1.2) = 42 +- 1e-7
  // expect time(#2) = 1.49 +- 1e-9
  // expect chamber.p(3) = 101 +- 1e-7
  // expect relief.q(3) = 2 +- 1e-7
  // expect events = 2
end ReliefValve;
