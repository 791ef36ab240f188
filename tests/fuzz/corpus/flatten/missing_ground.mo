package Circuit
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model OnePort
    Pin p;
    Pin n;
    Real v;
    Real i;
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end OnePort;
  model Resistor
    parameter Real R = 1;
    extends OnePort;
  equation
    v = R*i;
  end Resistor;
  model Capacitor
    parameter Real C = 1;
    extends OnePort;
  equation
    C*der(v) = i;
  end Capacitor;
  model Discharge
    Resistor R(R = 100);
    Capacitor C(C = 1e-3, v(start = 1, fixed = true));
  equation
    connect(R.p, C.p);
    connect(R.n, C.n);
  end Discharge;
end Circuit;
// expect S102 at 33:5
