// Connections that hold in turns, beside others that always hold. A source e = 12 + 3 f feeds one of three loads R f; by
// Kirchhoff's laws its current is 12/(R - 3) into the load that is connected at that time, the others have none. The
// second network has the same parts in another order, so that the sets of connections grow at other moments.
// expect one.loads[1].p.f(0.1) = 12/(5 + 3) +- 1e-12
// expect one.loads[2].p.f(0.1) = 0 +- 1e-12
// expect one.loads[3].p.f(0.1) = 0 +- 1e-12
// expect one.loads[1].p.f(0.4) = 0 +- 1e-12
// expect one.loads[2].p.f(0.4) = 12/(7 + 3) +- 1e-12
// expect one.loads[3].p.f(0.8) = 12/(13 + 3) +- 1e-12
// expect one.always.p.f(0.1) = 4 +- 1e-12
// expect one.always.p.f(0.8) = 4 +- 1e-12
// expect two.a.p.f(0.25) = 20/(11 + 3) +- 1e-12
// expect two.b.p.f(0.25) = 0 +- 1e-12
// expect two.c.p.f(0.25) = 5 +- 1e-12
// expect two.a.p.f(0.75) = 0 +- 1e-12
// expect two.b.p.f(0.75) = 20/(2 + 3) +- 1e-12
// expect two.c.p.f(0.75) = 5 +- 1e-12
package SwitchedConnections
  connector Pin
    Real e;
    flow Real f;
  end Pin;
  model Source
    parameter Real e0;
    Pin p;
  equation
    p.e = e0 + 3*p.f;
  end Source;
  model Load
    parameter Real R;
    Pin p;
  equation
    p.e = R*p.f;
  end Load;
  model One
    Source source(e0 = 12), other(e0 = 16);
    Load loads[3](R = {5, 7, 13}), always(R = 1);
  equation
    connect(other.p, always.p);
    if time < 0.3 then
      connect(source.p, loads[1].p);
    elseif time < 0.6 then
      connect(source.p, loads[2].p);
    else
      connect(source.p, loads[3].p);
    end if;
  end One;
  model Two
    Load b(R = 2), c(R = 1), a(R = 11);
    Source s(e0 = 20), t(e0 = 20);
  equation
    if time < 0.5 then
      connect(a.p, s.p);
    else
      connect(s.p, b.p);
    end if;
    connect(c.p, t.p);
  end Two;
  model Both
    One one;
    Two two;
    annotation(experiment(StopTime = 1));
  end Both;
end SwitchedConnections;
