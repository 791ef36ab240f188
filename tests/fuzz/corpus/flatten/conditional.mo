package Optional
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Resistor
    Pin p, n;
    parameter Real R = 1;
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end Resistor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Source
    Pin p, n;
  equation
    p.v - n.v = 5;
    p.i + n.i = 0;
  end Source;
  model Divider
    parameter Boolean loaded = true;
    parameter Integer extra = 0;
    Source s;
    Resistor r1(R = 10), r2(R = 20);
    Resistor load(R = 50) if loaded;
    Resistor more[extra](each R = 7) if extra > 0;
    Ground g;
  equation
    connect(s.p, r1.p);
    connect(r1.n, r2.p);
    connect(r2.n, s.n);
    connect(s.n, g.p);
    connect(r2.p, load.p);
    connect(r2.n, load.n);
  end Divider;
  model Test
    Divider d(loaded = false);
  end Test;
end Optional;
