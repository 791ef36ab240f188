package Hydraulics "inside and outside connectors, several connections at one place, an open connector"
  connector Port
    Real p;
    flow Real q;
  end Port;
  model Pipe
    Port a, b;
    parameter Real k = 1;
  equation
    a.q = k*(a.p - b.p);
    a.q + b.q = 0;
  end Pipe;
  model Pair
    Port a, b;
    Pipe upper(k = 1), lower(k = 2);
  equation
    connect(a, upper.a);
    connect(a, lower.a);
    connect(upper.b, b);
    connect(lower.b, b);
  end Pair;
  model Tank
    Port port;
    parameter Real p = 0;
  equation
    port.p = p;
  end Tank;
  model Net
    Pair pair;
    Pipe end1, end2;
    Tank full(p = 10), empty;
  equation
    connect(full.port, pair.a);
    connect(end1.b, empty.port);
    connect(pair.b, end1.a);
    connect(end1.a, end2.a);
  end Net;
end Hydraulics;
