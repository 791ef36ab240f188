// Two capacitors in parallel behind a resistor: equal voltages are one state. v = V*(1 - exp(-t/(R*(C1 + C2))))
// run: --stop 2 --rtol 1e-9
// expect c1.v(2) = 10*(1 - exp(-2/(2*0.5))) +- 1e-6
// expect c2.i(2) = 0.3*10/(2*0.5)*exp(-2/(2*0.5)) +- 1e-6
package Parts
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model OnePort
    Pin p, n;
    Real v, i;
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end OnePort;
  model Resistor
    extends OnePort;
    parameter Real R = 2;
  equation
    v = R*i;
  end Resistor;
  model Capacitor
    extends OnePort(v(start = 0));
    parameter Real C = 0.2;
  equation
    C*der(v) = i;
  end Capacitor;
  model Source
    extends OnePort;
  equation
    v = 10;
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Loop
    Source s;
    Resistor r;
    Capacitor c1(C = 0.2, v(fixed = true)), c2(C = 0.3);
    Ground g;
  equation
    connect(s.p, r.p);
    connect(r.n, c1.p);
    connect(c1.p, c2.p);
    connect(c1.n, c2.n);
    connect(c1.n, s.n);
    connect(s.n, g.p);
    annotation(experiment(StopTime = 2));
  end Loop;
end Parts;
