package Ladder "arrays of components, connections in loops, each, slices"
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
  model Capacitor
    Pin p, n;
    parameter Real C = 1;
    Real v(start = 0);
  equation
    v = p.v - n.v;
    C*der(v) = p.i;
    p.i + n.i = 0;
  end Capacitor;
  model Source
    Pin p, n;
    parameter Real V = 1;
  equation
    p.v - n.v = V;
    p.i + n.i = 0;
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Line
    parameter Integer n(min = 1) = 4;
    Resistor r[n](R = {10*i for i in 1:n});
    Capacitor c[n](each C = 1e-3, v(each fixed = true));
    Source source(V = 5);
    Ground ground;
    Real average = sum(c.v)/n;
    Real last[2] = c[n - 1:end].v;
  equation
    connect(source.p, r[1].p);
    for i in 1:n - 1 loop
      connect(r[i].n, r[i + 1].p);
    end for;
    connect(r.n, c.p);
    for i in 1:n loop
      connect(c[i].n, ground.p);
    end for;
    connect(source.n, ground.p);
  end Line;
end Ladder;
// expect nothing
