// The elements of library/NuSim that do not switch, each in a model with a closed form.
// class: LibraryParts.All
// run: --stop 2 --rtol 1e-9 --intervals 20
package LibraryParts
  model Circuit "1 A into 2 H and 3 V behind 4 Ohm; current sources in parallel"
    import NuSim.Electrical.*;
    SignalVoltage e(e = 3);
    Resistor r(R = 4);
    Inductor l(L = 2, i(start = 0, fixed = true));
    CurrentSensor a;
    VoltageSensor v;
    Ground g;
    ConstantCurrent i1(I = 1);
    SignalCurrent i2(e = time);
    Capacitor c(C = 0.5, u(start = 0, fixed = true));
  equation
    connect(e.p, a.p);
    connect(a.n, r.p);
    connect(r.n, l.p);
    connect(l.n, e.n);
    connect(v.p, l.p);
    connect(v.n, l.n);
    connect(e.n, g.p);
    connect(i1.n, c.p);
    connect(i2.n, c.p);
    connect(i1.p, g.p);
    connect(i2.p, g.p);
    connect(c.n, g.p);
  end Circuit;
  model Line "an oscillator with a damper; the sensor sees the force of the spring"
    import NuSim.Translational.*;
    Fixed wall(s0 = 1);
    ForceSensor f;
    Spring spring(c = 10, s_rel0 = 0.5);
    Damper damper(d = 2);
    Mass m(m = 1, s(start = 2.5, fixed = true), v(fixed = true));
    SpeedSensor v;
    SpringDamper soft(c = 0, d = 0);
  equation
    connect(wall.flange, f.a);
    connect(f.b, spring.a);
    connect(spring.b, m.a);
    connect(wall.flange, damper.a);
    connect(damper.b, m.a);
    connect(m.b, v.flange);
    connect(soft.a, wall.flange);
    connect(soft.b, m.b);
  end Line;
  model Shaft "a gear halves the speed; the inertia behind it counts a quarter"
    import NuSim.Rotational.*;
    TorqueSource t(tau = 6);
    Inertia a(J = 1, phi(fixed = true), w(fixed = true)), b(J = 8);
    Gear gear(ratio = 2);
    SpeedSensor w;
    Fixed wall;
    Inertia c(J = 2, phi(start = 1, fixed = true), w(fixed = true));
    Spring spring(c = 8);
    Damper none(d = 0);
  equation
    connect(t.flange, a.a);
    connect(a.b, gear.a);
    connect(gear.b, b.a);
    connect(b.b, w.flange);
    connect(wall.flange, spring.a);
    connect(spring.b, c.a);
    connect(wall.flange, none.a);
    connect(none.b, c.b);
  end Shaft;
  model Pipe
    import NuSim.Hydraulic.*;
    PressureSource p(p = 12);
    Line line(I = 3, q(start = 0, fixed = true));
    Restriction r(R = 6);
    Reservoir tank;
  equation
    connect(p.port, line.a);
    connect(line.b, r.a);
    connect(r.b, tank.port);
  end Pipe;
  model Wall "two conductors between two temperatures"
    import NuSim.Thermal.*;
    FixedTemperature hot(T = 400), cold(T = 300);
    Conductor c1(G = 1), c2(G = 3);
  equation
    connect(hot.port, c1.a);
    connect(c1.b, c2.a);
    connect(c2.b, cold.port);
  end Wall;
  model All
    Circuit circuit;
    Line line;
    Shaft shaft;
    Pipe pipe;
    Wall wall;
    Real curve[3] = {NuSim.interpolate([0, 1; 1, 3; 3, 2], t) for t in {-1, 0.5, 4}};
    Real tangent = NuSim.growth(time, 1);
  end All;
end LibraryParts;
// expect circuit.l.i(1) = 0.75*(1 - exp(-2)) +- 1e-8
// expect circuit.a.y(1) = 0.75*(1 - exp(-2)) +- 1e-8
// expect circuit.v.y(1) = 3*exp(-2) +- 1e-7
// expect circuit.c.u(2) = 8 +- 1e-7
// expect line.m.s(1) = 1.5 + exp(-1)*(cos(3) + sin(3)/3) +- 1e-7
// expect line.v.v(1) = -10/3*exp(-1)*sin(3) +- 1e-7
// expect line.f.f(0) = -10 +- 1e-9
// expect shaft.a.w(2) = 4 +- 1e-8
// expect shaft.w.w(2) = 2 +- 1e-8
// expect shaft.c.phi(2) = cos(4) +- 1e-7
// expect pipe.line.q(1) = 2*(1 - exp(-2)) +- 1e-8
// expect wall.c1.a.Q_flow(1) = 75 +- 1e-9
// expect curve[1](0) = 1
// expect curve[2](0) = 2
// expect curve[3](0) = 2
// expect tangent(2) = 2*e +- 1e-12
