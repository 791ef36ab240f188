model TwoBlocksPeak "Two blocks with friction that is larger at rest: stick and slip"
  // Otter, Elmqvist, Mattsson 1999, figures 9 and 10: the forces jump where sliding begins, since the peak is 1.25.
  import NuSim.Translational.*;
  parameter Real peak = 1.25;
  Mass m1(m = 1, s(fixed = true), v(fixed = true)) "Lower block";
  Mass m2(m = 1, s(fixed = true), v(fixed = true)) "Upper block";
  Friction below(F0 = 1, peak = peak), between(F0 = 1, peak = peak);
  ForceSource u1(f = 0.2), u2(f = 2*sin(time));
  Fixed floor;
equation
  connect(floor.flange, below.flange_a);
  connect(below.flange_b, m1.a);
  connect(m1.b, between.flange_a);
  connect(between.flange_b, m2.a);
  connect(u1.flange, m1.b);
  connect(u2.flange, m2.b);
  annotation(experiment(StopTime = 10, Tolerance = 1e-9, Interval = 0.01), Documentation(figures = {
    Figure(title = "Two blocks with friction", identifier = "blocks", plots = {
      Plot(title = "Friction forces", y = Axis(label = "force"), curves = {
        Curve(y = below.f, legend = "on the floor"), Curve(y = between.f, legend = "between the blocks")}),
      Plot(title = "Speeds", y = Axis(label = "speed"), curves = {
        Curve(y = m1.v, legend = "lower block"), Curve(y = m2.v, legend = "upper block")})})}));
  // below holds up to 1.25; then it slides with 1 and the upper block goes with the lower one: a = (2 sin t - 0.8)/2
  // expect time(#1) = asin(0.525) +- 1e-9
  // expect below.f(#1-) = 1.25 +- 1e-8
  // expect below.f(#1) = 1 +- 1e-8
  // expect between.f(#1-) = 1.05 +- 1e-8
  // expect between.f(#1) = 0.925 +- 1e-8
  // between reaches 1.25 where sin t = 0.85
  // expect time(#2) = asin(0.85) +- 1e-9
  // expect between.f(#2-) = 1.25 +- 1e-8
  // expect between.f(#2) = 1 +- 1e-8
  // expect m1.acc(#2) = 0.2 +- 1e-8
  // expect m2.acc(#2) = 0.7 +- 1e-8
end TwoBlocksPeak;
