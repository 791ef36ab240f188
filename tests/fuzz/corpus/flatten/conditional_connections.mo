package Switching "connections under a condition that changes in time"
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A", nominal = 10);
  end Pin;
  connector Flange
    Real s[2];
    flow Real f[2];
    Pin electric;
  end Flange;
  model Capacitor
    Pin p, n;
    parameter Real C = 1;
  equation
    C*der(p.v - n.v) = p.i;
    p.i + n.i = 0;
  end Capacitor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Relay "an outside connector: without current while it is open"
    Pin a, b, c;
    input Boolean up;
  equation
    if up then
      connect(a, b);
    else
      connect(a, c);
    end if;
  end Relay;
  model Mass
    Flange f;
  equation
    der(f.s) = f.f;
    f.electric.v = f.electric.i;
  end Mass;
  model Ring "what is connected anyway while its branch holds needs no switch"
    Capacitor c[4];
    Ground g;
  equation
    for k in 1:4 loop
      connect(c[k].n, g.p);
      if time > 1 then
        connect(c[k].p, c[mod(k, 4) + 1].p);
      end if;
    end for;
    if time > 1 then
      if time > 2 then
        connect(c[4].p, c[2].p);
      end if;
      connect(c[1].n, c[2].n);
    else
      connect(c[4].p, c[2].p);
    end if;
  end Ring;
  model All
    Ring ring;
    parameter Boolean spare = false;
    Capacitor c[4];
    Ground ground;
    Relay relay(up = time > 3);
    Mass mass[2];
    Boolean closed = time > 1;
    Real y;
  equation
    for k in 1:4 loop
      connect(c[k].n, ground.p);
    end for;
    connect(relay.a, c[1].p);
    connect(relay.b, c[4].p);
    connect(relay.c, ground.p);
    if closed then
      y = 1;
      for k in 2:3 loop
        connect(c[1].p, c[k].p);
      end for;
      if spare then
        connect(c[2].p, c[3].p);
      end if;
    elseif time > 0.5 then
      if c[1].p.v > c[2].p.v then
        connect(c[1].p, c[2].p);
      end if;
      y = c[3].p.v;
    else
      y = 0;
      connect(mass[1].f, mass[2].f);
    end if;
  end All;
end Switching;
