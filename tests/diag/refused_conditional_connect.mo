package Net
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Load
    Pin p;
  equation
    p.v = p.i + 1;
  end Load;
  model Circuit
    Load a;
    Load b;
  equation
    if time > 1 then
      connect(a.p, b.p);
    end if;
  end Circuit;
end Net;
// expect X001 at 15:8
