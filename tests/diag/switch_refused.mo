package Net "what cannot be connected under a condition that changes in time"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Count
    Integer n;
    flow Real i;
  end Count;
  expandable connector Bus
  end Bus;
  connector Signal = input Real;
  connector Result = output Real;
  type Angle
    extends Real;
    function equalityConstraint
      input Angle a, b;
      output Real r[0];
    end equalityConstraint;
  end Angle;
  connector Plug
    Angle angle;
    Real v;
    flow Real i;
  end Plug;
  model Load
    Pin p;
    Count count;
    Bus bus;
    Signal u;
    Result y = 1;
    Plug plug;
  end Load;
  model Circuit
    Load a, b;
    Boolean on = time > 1;
  equation
    if on then
      connect(a.count, b.count);
      connect(a.bus, b.bus);
      connect(a.y, b.u);
      connect(a.plug, b.plug);
      Connections.root(a.plug.angle);
    end if;
  end Circuit;
end Net;
// expect X001 at 39:7
// expect X001 at 40:7
// expect X001 at 41:7
// expect X001 at 42:7
// expect X001 at 43:7
