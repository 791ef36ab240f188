model Melting "Ice is heated, melts at constant temperature, and freezes again"
  import NuSim.Thermal.*;
  parameter NuSim.Level level = NuSim.Level.Ideal;
  PhaseChange water(level = level, Csolid = 2100, Cliquid = 4200, latent = 334000, T0 = 263.15) "One kilogram";
  HeatSource heater(Q = if time < 500 then 1000 else -2000);
equation
  connect(heater.port, water.port);
  annotation(experiment(StopTime = 800, Tolerance = 1e-9, Interval = 5));
  // it begins to melt after 21 s, is liquid after 355 s, begins to freeze at 500 + 72.5 s and is solid again at 739.5 s
  // expect time(#1) = 21 +- 1e-7
  // expect time(#2) = 355 +- 1e-7
  // expect time(#3) = 500
  // expect time(#4) = 572.5 +- 1e-7
  // expect time(#5) = 739.5 +- 1e-7
  // expect water.T(100) = 273.15 +- 1e-9
  // expect water.melted(188) = 0.5 +- 1e-9
  // expect water.T(455) = 273.15 + 100000/4200 +- 1e-7
  // expect water.T(760.5) = 253.15 +- 1e-6
  // expect events = 5
end Melting;
