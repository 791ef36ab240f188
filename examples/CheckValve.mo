model CheckValve "A pump fills an accumulator through a check valve"
  import NuSim.Hydraulic.*;
  parameter NuSim.Level level = NuSim.Level.Ideal;
  PressureSource pump(p = 100*sin(3.141592653589793*time));
  Restriction line(R = 10);
  NuSim.Hydraulic.CheckValve check(level = level);
  Volume accumulator(C = 0.01, p(start = 0, fixed = true));
equation
  connect(pump.port, line.a);
  connect(line.b, check.a);
  connect(check.b, accumulator.port);
  annotation(experiment(StopTime = 2, Tolerance = 1e-9, Interval = 0.01));
  // time constant 0.1 s; the valve closes where pump and accumulator agree: p' = 0. Nothing leaks afterwards
  // expect time(#1) = 0.5961095900186 +- 1e-9
  // expect accumulator.p(1.5) = 95.47622205433 +- 1e-6
  // expect check.closed(1.5) = 1
  // expect check.q(1.5) = 0 +- 1e-12
  // expect accumulator.p(0.3) = 100/(1 + (0.1*pi)**2)*(sin(0.3*pi) - 0.1*pi*cos(0.3*pi) + 0.1*pi*exp(-3)) +- 1e-6
  // expect min(check.q) >= -1e-9
end CheckValve;
