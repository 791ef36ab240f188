package Switched "connections that come and go: charge and momentum are kept, currents follow the closed switch"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model Two
    Pin p, n;
    Real u = p.v - n.v;
  equation
    p.i + n.i = 0;
  end Two;
  model Capacitor
    extends Two(u(fixed = true));
    parameter Real C = 1;
  equation
    C*der(u) = p.i;
  end Capacitor;
  model Resistor
    extends Two;
    parameter Real R = 1;
  equation
    u = R*p.i;
  end Resistor;
  model Source
    extends Two;
  equation
    u = 10;
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Pair "1 F at 10 V meets 3 F at 2 V, leaves it again; a circle of equal conditions"
    Capacitor a(u(start = 10)), b(C = 3, u(start = 2));
    Resistor load(R = 2);
    Ground g;
  equation
    connect(a.n, g.p);
    connect(b.n, g.p);
    connect(load.n, g.p);
    connect(load.p, b.p);
    if time > 1 and time < 2 then
      connect(a.p, b.p);
      connect(a.p, load.p);
      connect(b.p, a.p);
    end if;
  end Pair;
  model Relay "charged through one resistor, discharged through the other"
    Source source;
    Resistor r1, r2(R = 2);
    Capacitor c(u(start = 0));
    Ground g;
    Boolean up = time < 2;
  equation
    connect(source.p, r1.p);
    connect(source.n, g.p);
    connect(c.n, g.p);
    connect(r2.n, g.p);
    if up then
      connect(r1.n, c.p);
    else
      connect(c.p, r2.p);
    end if;
  end Relay;
  connector Flange
    Real v;
    flow Real f;
  end Flange;
  model Mass
    Flange f;
    parameter Real m = 1;
    Real x(start = 0, fixed = true);
  equation
    der(x) = f.v;
    m*der(f.v) = f.f;
  end Mass;
  model Couple "two masses that stick together where they meet"
    Mass a(m = 2, f(v(start = 3, fixed = true))), b(x(start = 1));
  equation
    if a.x >= b.x then
      connect(a.f, b.f);
    end if;
  initial equation
    b.f.v = 0;
  end Couple;
  model All
    Pair pair;
    Relay relay;
    Couple couple;
  end All;
end Switched;
// run: --stop 4 --rtol 1e-8
// solvers: rk45 ida rosenbrock
// expect pair.b.u(1-) = 2*exp(-1/6) +- 1e-6
// expect pair.a.u(1) = (10 + 6*exp(-1/6))/4 +- 1e-6
// expect pair.b.u(1) = (10 + 6*exp(-1/6))/4 +- 1e-6
// expect pair.a.u(4) = (10 + 6*exp(-1/6))/4*exp(-1/8) +- 1e-6
// expect pair.b.u(4) = (10 + 6*exp(-1/6))/4*exp(-1/8 - 1/3) +- 1e-6
// expect relay.c.u(2) = 10*(1 - exp(-2)) +- 1e-6
// expect relay.c.u(4) = 10*(1 - exp(-2))*exp(-1) +- 1e-6
// expect couple.a.f.v(4) = 2 +- 1e-8
// expect couple.b.f.v(4) = 2 +- 1e-8
// expect couple.b.x(4) = 1 + 2*(4 - 1/3) +- 1e-6
