model Brake "A sliding block is braked, held, and breaks loose where the force exceeds the peak"
  import NuSim.Translational.*;
  parameter NuSim.Level level = NuSim.Level.Ideal;
  parameter Real rate(unit = "N/s") = 1;
  Mass body(m = 2, s(fixed = true), v(start = 3, fixed = true));
  NuSim.Translational.Brake brake(level = level, mu = 0.5, peak = 1.5, table = [0, 1; 1, 0.8; 10, 0.8], fn = 4);
  ForceSource pull(f = if time < 4 then 0 else (time - 4)*rate);
equation
  connect(body.a, brake.flange);
  connect(pull.flange, body.b);
  annotation(experiment(StopTime = 9, Tolerance = 1e-9, Interval = 0.01));
  // 1.6 N above 1 m/s, rising to 2 N at rest: v = 3 - 0.8 t down to 1 at 2.5 s, then v' = -1 + 0.2 v until 2.5 + 5 ln(5/4)
  // expect body.v(2) = 1.4 +- 1e-7
  // expect body.v(3) = 5 - 4*exp(0.1) +- 1e-6
  // expect time(#1) = 2.5 + 5*log(5/4) +- 1e-6
  // expect brake.stuck(3.9) = 1
  // expect body.v(3.9) = 0 +- 1e-9
  // it holds up to 3 N, reached at 7 s, and then slides with 2 N, less when faster
  // expect brake.f(6.5) = 2.5 +- 1e-9
  // expect time(#3) = 7 +- 1e-8
  // expect brake.f(#3-) = 3 +- 1e-7
  // expect brake.f(#3) = 2 +- 1e-6
  // expect brake.stuck(8) = 0
end Brake;
