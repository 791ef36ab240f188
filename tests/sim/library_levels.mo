// The elements of library/NuSim at their three levels: the coarser ones come close to the ideal one.
// class: LibraryLevels.All
// run: --stop 0.05 --rtol 1e-8 --intervals 100 --islands off
package LibraryLevels
  import NuSim.Level;
  model Chopper "gate turn-off thyristor, diode, switch"
    import NuSim.Electrical.*;
    parameter Level level;
    ConstantVoltage source(U = 100);
    Switch key(level = level, Goff = 1e-7, closed = time < 0.045);
    GTO gto(level = level, Goff = 1e-7, fire = mod(time, 0.01) < 0.005);
    Diode diode(level = level, Goff = 1e-7);
    Resistor r(R = 10);
    Inductor l(L = 0.05, i(start = 0, fixed = true));
    Ground ground;
  equation
    connect(source.p, key.p);
    connect(key.n, gto.p);
    connect(gto.n, r.p);
    connect(diode.n, r.p);
    connect(r.n, l.p);
    connect(l.n, source.n);
    connect(diode.p, source.n);
    connect(ground.p, source.n);
  end Chopper;
  model Phase "thyristor and triac"
    import NuSim.Electrical.*;
    parameter Level level;
    SineVoltage source(U = 100, f = 50);
    Thyristor thyristor(level = level, Goff = 1e-7, fire = mod(time, 0.02) > 0.004 and mod(time, 0.02) < 0.005);
    Triac triac(level = level, Goff = 1e-7, fire = mod(time, 0.01) > 0.004 and mod(time, 0.01) < 0.005);
    Resistor r1(R = 10), r2(R = 10);
    Ground ground;
    Real q1(start = 0, fixed = true), q2(start = 0, fixed = true);
  equation
    connect(source.p, thyristor.p);
    connect(source.p, triac.p);
    connect(thyristor.n, r1.p);
    connect(triac.n, r2.p);
    connect(r1.n, source.n);
    connect(r2.n, source.n);
    connect(ground.p, source.n);
    der(q1) = r1.i;
    der(q2) = r2.i^2;
  end Phase;
  model Shafts "clutch, bearing"
    import NuSim.Rotational.*;
    parameter Level level;
    Inertia a(J = 1, phi(fixed = true), w(start = 1, fixed = true)), b(J = 1, phi(fixed = true), w(fixed = true));
    Clutch clutch(level = level, vSmall = 1e-4, fn = if time < 0.01 then 0 else 80);
    Bearing bearing(level = level, vSmall = 1e-4, F0 = 2);
  equation
    connect(a.b, clutch.flange_a);
    connect(clutch.flange_b, b.a);
    connect(a.a, bearing.flange);
  end Shafts;
  model Fluid "valve, check valve, relief valve"
    import NuSim.Hydraulic.*;
    parameter Level level;
    Source source(q = 1);
    Restriction r1(R = 10), r2(R = 1), r3(R = 1);
    Volume v1(C = 1e-4, p(start = 0, fixed = true)), v2(C = 1e-4, p(start = 50, fixed = true));
    CheckValve check(level = level, pSmooth = 0.1);
    Valve outlet(level = level, tau = 1e-4, open = time < 0.02);
    ReliefValve relief(level = level, pSmooth = 0.1, limit = 120);
    Reservoir tank;
  equation
    connect(source.port, v1.port);
    connect(v1.port, r2.a);
    connect(r2.b, check.a);
    connect(check.b, v2.port);
    connect(v2.port, r1.a);
    connect(r1.b, outlet.a);
    connect(outlet.b, tank.port);
    connect(v2.port, r3.a);
    connect(r3.b, relief.a);
    connect(relief.b, tank.port);
  end Fluid;
  model Ice
    import NuSim.Thermal.*;
    parameter Level level;
    PhaseChange ice(level = level, Csolid = 2, Cliquid = 4, latent = 300, T0 = 263.15);
    HeatSource heater(Q = 10000);
  equation
    connect(heater.port, ice.port);
  end Ice;
  model Three
    parameter Level level;
    Chopper chopper(level = level);
    Phase phase(level = level);
    Shafts shafts(level = level);
    Fluid fluid(level = level);
    Ice ice(level = level);
  end Three;
  model All
    Three x(level = Level.Ideal), p(level = Level.PiecewiseLinear), s(level = Level.Smooth);
    Real current[2] = {p.chopper.l.i - x.chopper.l.i, s.chopper.l.i - x.chopper.l.i};
    Real speed[2] = {p.shafts.b.w - x.shafts.b.w, s.shafts.b.w - x.shafts.b.w};
    Real pressure[2] = {p.fluid.v2.p - x.fluid.v2.p, s.fluid.v2.p - x.fluid.v2.p};
    Real melted[2] = {p.ice.ice.melted - x.ice.ice.melted, s.ice.ice.melted - x.ice.ice.melted};
  end All;
end LibraryLevels;
// expect x.phase.q1(0.05) = 3*10/(100*pi)*(cos(0.4*pi) + 1) +- 1e-7
// expect p.phase.q1(0.05) = 3*10/(100*pi)*(cos(0.4*pi) + 1) +- 1e-4
// expect s.phase.q1(0.05) = 3*10/(100*pi)*(cos(0.4*pi) + 1) +- 3e-3
// expect x.phase.q2(0.05) = 5*100*(0.003 + sin(0.8*pi)/(400*pi)) +- 1e-5
// expect p.phase.q2(0.05) = 5*100*(0.003 + sin(0.8*pi)/(400*pi)) +- 1e-4
// expect s.phase.q2(0.05) = 5*100*(0.003 + sin(0.8*pi)/(400*pi)) +- 1e-2
// expect x.chopper.l.i(0.005) = 10*(1 - exp(-1)) +- 1e-6
// expect min(current[1]) >= -0.01
// expect max(current[1]) <= 0.01
// expect min(current[2]) >= -0.3
// expect max(current[2]) <= 0.3
// expect x.shafts.b.w(0.02) = 0.4 +- 1e-6
// expect x.shafts.clutch.stuck(0.04) = 1
// expect min(speed[1]) >= -0.002
// expect max(speed[1]) <= 0.002
// expect min(speed[2]) >= -0.002
// expect max(speed[2]) <= 0.002
// expect x.fluid.v2.p(0.05) = 121 +- 1e-4
// expect min(pressure[1]) >= -0.1
// expect max(pressure[1]) <= 0.1
// expect min(pressure[2]) >= -1
// expect max(pressure[2]) <= 1
// expect x.ice.ice.melted(0.03) = (300 - 20)/300 +- 1e-9
// expect max(melted[1]) <= 1e-9
// expect max(melted[2]) <= 0.02
// expect min(melted[2]) >= -0.02
