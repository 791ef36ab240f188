model TwoBlocks "Two blocks on each other, friction between them and below"
  // Otter, Elmqvist, Mattsson 1999, figure 9. At 0.1 s both contacts at rest would need too much force, both sliding contradicts
  // the direction of the upper one: the lower one slides, the upper one stays.
  import NuSim.Translational.*;
  parameter Real f0 = 1;
  parameter Real peak = 1;
  Mass m1(m = 1, s(fixed = true), v(fixed = true)) "Lower block";
  Mass m2(m = 1, s(fixed = true), v(fixed = true)) "Upper block";
  Friction below(F0 = f0, peak = peak), between(F0 = f0, peak = peak);
  ForceSource u1(f = 0.9*f0), u2(f = if time < 0.1 then 0 else 1.1*f0);
  Fixed floor;
equation
  connect(floor.flange, below.flange_a);
  connect(below.flange_b, m1.a);
  connect(m1.b, between.flange_a);
  connect(between.flange_b, m2.a);
  connect(u1.flange, m1.b);
  connect(u2.flange, m2.b);
  annotation(experiment(StopTime = 0.5, Tolerance = 1e-9, Interval = 0.01));
  // expect time(#1) = 0.1
  // expect below.f(0.05) = 0.9 +- 1e-12
  // expect between.f(0.05) = 0 +- 1e-12
  // expect below.f(0.5) = 1 +- 1e-12
  // expect between.f(0.5) = 0.6 +- 1e-12
  // expect below.sa(0.5) = 1.5 +- 1e-12
  // expect between.sa(0.5) = 0.6 +- 1e-12
  // expect m1.acc(0.5) = 0.5 +- 1e-12
  // expect m2.acc(0.5) = 0.5 +- 1e-12
  // expect m1.v(0.5) = 0.2 +- 1e-9
  // expect m2.s(0.5) = 0.04 +- 1e-9
  // expect between.stuck(0.5) = 1
end TwoBlocks;
