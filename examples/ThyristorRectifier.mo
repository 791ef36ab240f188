model ThyristorRectifier "A thyristor that is fired late in each half wave"
  import NuSim.Electrical.*;
  parameter NuSim.Level level = NuSim.Level.Ideal;
  parameter Real delay = 0.004 "From the zero of the source to the pulse";
  SineVoltage source(U = 10, f = 50);
  Thyristor thyristor(level = level, fire = mod(time, 0.02) >= delay and mod(time, 0.02) < delay + 0.001);
  Resistor load(R = 5);
  Ground ground;
  Real charge(start = 0, fixed = true);
equation
  connect(source.p, thyristor.p);
  connect(thyristor.n, load.p);
  connect(load.n, source.n);
  connect(ground.p, source.n);
  der(charge) = load.i;
  annotation(experiment(StopTime = 0.04, Tolerance = 1e-9, Interval = 1e-4));
  // it conducts from 4 ms to the end of the half wave, although the pulse ends at 5 ms
  // expect load.i(0.0039) = 0 +- 1e-12
  // expect load.i(0.0055) = 2*sin(100*pi*0.0055) +- 1e-9
  // expect load.i(0.015) = 0 +- 1e-12
  // expect thyristor.u(0.015) = -10 +- 1e-9
  // expect charge(0.04) = 2*2/(100*pi)*(cos(0.4*pi) + 1) +- 1e-9
end ThyristorRectifier;
