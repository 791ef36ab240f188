// One source, two loads, one of which is connected at a time: the smallest network in which the list of connectors grows
// while a connection under a condition is made. f = e0/(R + r) flows into the load that is connected.
// expect b.p.f(0.2) = 0 +- 1e-12
// expect a.p.f(0.2) = 18/(4 + 2) +- 1e-12
// expect a.p.f(0.9) = 0 +- 1e-12
// expect b.p.f(0.9) = 18/(7 + 2) +- 1e-12
package SwitchedConnection
  connector Pin
    Real e;
    flow Real f;
  end Pin;
  model Source
    Pin p;
  equation
    p.e = 18 + 2*p.f;
  end Source;
  model Load
    parameter Real R;
    Pin p;
  equation
    p.e = R*p.f;
  end Load;
  model Network
    Source s;
    Load a(R = 4), b(R = 7);
  equation
    if time < 0.6 then
      connect(s.p, a.p);
    else
      connect(s.p, b.p);
    end if;
    annotation(experiment(StopTime = 1));
  end Network;
end SwitchedConnection;
