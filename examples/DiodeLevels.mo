package DiodeLevels "One circuit with a diode at three levels of abstraction"
  model Circuit "Half-wave rectifier with a capacitor"
    import NuSim.Electrical.*;
    parameter NuSim.Level level;
    SineVoltage source(U = 100, f = 50);
    Resistor r1(R = 10), r2(R = 1000);
    Diode diode(level = level, Ron = 1e-3, Goff = 1e-7);
    Capacitor c(C = 1e-4, u(start = 0, fixed = true));
    Ground ground;
  equation
    connect(source.p, r1.p);
    connect(r1.n, diode.p);
    connect(diode.n, c.p);
    connect(diode.n, r2.p);
    connect(c.n, source.n);
    connect(r2.n, source.n);
    connect(ground.p, source.n);
  end Circuit;

  model Levels
    Circuit smooth(level = NuSim.Level.Smooth), piecewise(level = NuSim.Level.PiecewiseLinear), ideal(level = NuSim.Level.Ideal);
    Real lessIdeal = piecewise.c.u - ideal.c.u, smoother = smooth.c.u - ideal.c.u;
    annotation(experiment(StopTime = 0.06, Tolerance = 1e-8, Interval = 1e-4));
  end Levels;
  // straight lines differ from the ideal switch by their slopes; the smooth one has a drop of about 1 V, too
  // expect min(lessIdeal) >= -0.02
  // expect max(lessIdeal) <= 0.02
  // expect min(smoother) >= -2
  // expect max(smoother) <= 0.1
end DiodeLevels;
