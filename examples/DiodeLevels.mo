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

  model Curve "A diode with slopes that can be seen, driven from backwards to forwards"
    import NuSim.Electrical.*;
    parameter NuSim.Level level;
    SineVoltage source(U = 3, f = 0.5, phase = -asin(1));
    Resistor r(R = 1);
    Diode diode(level = level, Ron = 0.08, Goff = 0.05, Vknee = 0.7);
    Ground ground;
    NuSim.Units.Voltage u = diode.u;
    NuSim.Units.Current i = diode.i;
  equation
    connect(source.p, r.p);
    connect(r.n, diode.p);
    connect(diode.n, source.n);
    connect(ground.p, source.n);
  end Curve;

  model Characteristics "Current over voltage at the three levels"
    Curve smooth(level = NuSim.Level.Smooth), piecewise(level = NuSim.Level.PiecewiseLinear), ideal(level = NuSim.Level.Ideal);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8, Interval = 1e-3), Documentation(figures = {
      Figure(title = "A diode at three levels of abstraction", identifier = "characteristics", plots = {
        Plot(x = Axis(label = "voltage"), y = Axis(label = "current"), curves = {
          Curve(x = smooth.u, y = smooth.i, legend = "smooth"), Curve(x = piecewise.u, y = piecewise.i, legend = "piecewise linear"),
          Curve(x = ideal.u, y = ideal.i, legend = "ideal")})})}));
  end Characteristics;

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
