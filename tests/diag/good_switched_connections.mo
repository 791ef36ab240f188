package Net "connections that hold from time to time"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Capacitor
    Pin p, n;
    parameter Real C = 1;
    Real u(fixed = true) = p.v - n.v;
  equation
    C*der(u) = p.i;
    p.i + n.i = 0;
  end Capacitor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Charge "two capacitors"
    Capacitor a(u(start = 10)), b(C = 3, u(start = 2));
    Ground g;
  equation
    connect(a.n, g.p);
    connect(b.n, g.p);
    if time > 1 then
      connect(a.p, b.p);
    end if;
  end Charge;
end Net;
// expect nothing
