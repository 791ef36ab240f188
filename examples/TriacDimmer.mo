model TriacDimmer "A lamp gets the rest of each half wave"
  import NuSim.Electrical.*;
  parameter NuSim.Level level = NuSim.Level.Ideal;
  SineVoltage source(U = 325, f = 50);
  Triac triac(level = level, fire = mod(time, 0.01) >= 0.005 and mod(time, 0.01) < 0.006);
  Resistor lamp(R = 100);
  Switch main(level = level, closed = time < 0.0475);
  Ground ground;
  Real energy(start = 0, fixed = true);
equation
  connect(source.p, main.p);
  connect(main.n, triac.p);
  connect(triac.n, lamp.p);
  connect(lamp.n, source.n);
  connect(ground.p, source.n);
  der(energy) = lamp.u*lamp.i;
  annotation(experiment(StopTime = 0.05, Tolerance = 1e-9, Interval = 1e-4));
  // expect lamp.i(0.004) = 0 +- 1e-9
  // expect lamp.i(0.007) = 3.25*sin(0.7*pi) +- 1e-9
  // expect lamp.i(0.014) = 0 +- 1e-9
  // expect lamp.i(0.017) = -3.25*sin(0.7*pi) +- 1e-9
  // expect lamp.i(0.049) = 0 +- 1e-9
  // half of the full power in four half waves; in the fifth the switch opens
  // expect energy(0.04) = 4*0.005/2*325**2/100 +- 1e-6
  // expect energy(0.05) = 325**2/100*(0.01 + 0.00125 + 1/(400*pi)) +- 1e-6
end TriacDimmer;
