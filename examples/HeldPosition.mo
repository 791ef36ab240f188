package HeldPosition "Masses that are held, coupled or blocked: constraints of positions and of speeds"
  model Brake "A mass is held where it is: the constraint must be differentiated twice"
    parameter Real m(unit = "kg") = 3;
    Real x(unit = "m", start = 0, fixed = true), v(unit = "m/s", start = 2, fixed = true), F(unit = "N");
    Boolean clamped = time >= 0.5;
    discrete Real held(unit = "m", start = 0, fixed = true), area(unit = "N.s", start = 0, fixed = true);
  equation
    der(x) = v;
    m*der(v) = F;
    when clamped then
      held = pre(x);
      area = impulse(F);
    end when;
    if clamped then
      x = held;
    else
      F = 0;
    end if;
  end Brake;

  model Shafts "Two shafts are coupled, and let go again"
    parameter Real J1(unit = "kg.m2") = 1, J2(unit = "kg.m2") = 3;
    Real w1(unit = "rad/s", start = 10, fixed = true), w2(unit = "rad/s", start = 2, fixed = true), tau(unit = "N.m");
    Boolean engaged = time >= 0.5 and time < 1;
    discrete Real area(unit = "N.m.s", start = 0, fixed = true);
  equation
    J1*der(w1) = -tau;
    J2*der(w2) = tau - 3;
    if engaged then
      w1 = w2;
    else
      tau = 0;
    end if;
    when engaged then
      area = impulse(tau);
    end when;
  end Shafts;

  model Lock "A valve closes behind a piston, and the oil does not give"
    import NuSim.Hydraulic.*;
    Cylinder chamber(level = NuSim.Level.Ideal, A = 0.5, C = 0);
    NuSim.Translational.Mass piston(m = 3, s(fixed = true), v(start = -2, fixed = true));
    Valve valve(open = time < 0.5);
    Reservoir tank;
    discrete Real area(unit = "Pa.s", start = 0, fixed = true) "Of the pulse of the pressure";
  equation
    connect(chamber.flange, piston.a);
    connect(chamber.port, valve.a);
    connect(valve.b, tank.port);
    when not valve.open then
      area = impulse(chamber.p);
    end when;
  end Lock;

  model All
    Brake brake;
    Shafts shafts;
    Lock lock;
    annotation(experiment(StopTime = 1.5, Tolerance = 1e-9, Interval = 0.1));
  end All;
  // expect brake.x(1.5) = 1 +- 1e-9
  // expect brake.v(0.5-) = 2 +- 1e-12
  // expect brake.v(1.5) = 0 +- 1e-12
  // expect brake.area(1.5) = -6 +- 1e-12
  // w2 = 2 - 0.5 = 1.5; (10 + 3*1.5)/4 = 3.625
  // expect shafts.w1(0.5) = 3.625 +- 1e-9
  // expect shafts.w2(0.5) = 3.625 +- 1e-9
  // expect shafts.area(1.5) = 6.375 +- 1e-9
  // expect shafts.w1(1.5) = 3.625 - 0.375 +- 1e-9
  // expect shafts.w2(1.5) = 3.625 - 0.375 - 0.5 +- 1e-9
  // expect lock.piston.v(1.5) = 0 +- 1e-12
  // expect lock.piston.s(1.5) = -1 +- 1e-9
  // expect lock.area(1.5) = 12 +- 1e-9
end HeldPosition;
