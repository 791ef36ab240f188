model SampledControl "A continuous plant and a controller that acts every tenth of a second"
  // Instants of `sample` are known beforehand: steps end exactly there. All equations hold at once, so the order in which plant
  // and controller are evaluated follows from their equations (Otter, Elmqvist, Mattsson 1999, section 2).
  Real x(start = 0, fixed = true) "State of the plant";
  discrete Real xc(start = 0, fixed = true) "State of the controller";
  discrete Real u(start = 0, fixed = true) "What the plant gets";
equation
  der(x) = -x + u;
  when sample(0, 0.1) then
    xc = 0.5*pre(xc) + (1 - x);
    u = pre(xc);
  end when;
  annotation(experiment(StopTime = 1, Tolerance = 1e-9, Interval = 0.01));
  // expect xc(0) = 1
  // expect u(0.1) = 1
  // expect time(#2) = 0.2
  // expect x(0.2) = 1 - exp(-0.1) +- 1e-9
  // expect x(0.3) = 1.5 - (0.5 + exp(-0.1))*exp(-0.1) +- 1e-9
  // expect x(0.3) = 0.2288505 +- 1e-7
  // expect time_events = 10
end SampledControl;
