model Clutch "A clutch makes two shafts turn together, holds, slips under a large torque, and lets go"
  import NuSim.Rotational.*;
  parameter NuSim.Level level = NuSim.Level.Ideal;
  Inertia motor(J = 1, phi(fixed = true), w(start = 10, fixed = true));
  Inertia load(J = 1, phi(fixed = true), w(start = 0, fixed = true));
  NuSim.Rotational.Clutch clutch(level = level, mu = 0.5, peak = 1.25, fn = if time < 1 then 0 else if time < 6 then 4 else 0);
  TorqueSource drag(tau = if time < 4 then 0 else -6);
equation
  connect(motor.b, clutch.flange_a);
  connect(clutch.flange_b, load.a);
  connect(drag.flange, load.b);
  annotation(experiment(StopTime = 7, Tolerance = 1e-9, Interval = 0.01));
  // free until 1 s; then a torque of 2 closes the gap of 10 rad/s at a rate of 4: together from 3.5 s with 5 rad/s
  // expect motor.w(0.9) = 10 +- 1e-9
  // expect clutch.f(0.9) = 0 +- 1e-12
  // expect motor.w(2) = 8 +- 1e-8
  // expect load.w(2) = 2 +- 1e-8
  // expect time(#2) = 3.5 +- 1e-8
  // expect motor.w(3.9) = 5 +- 1e-8
  // expect clutch.stuck(3.9) = 1
  // from 4 s on -6 at the load: holding would take 3, more than 2.5; it slips with 2: motor -2, load -4
  // expect clutch.f(5) = -2 +- 1e-12
  // expect motor.w(5) = 3 +- 1e-8
  // expect load.w(5) = 1 +- 1e-8
  // free from 6 s on
  // expect motor.w(7) = 1 +- 1e-8
  // expect load.w(7) = -9 +- 1e-8
  // expect max(clutch.stuck) <= 1
end Clutch;
