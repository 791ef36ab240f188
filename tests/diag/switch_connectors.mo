package Net "what is wrong without the condition, too"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Flange
    Real s;
    flow Real f;
  end Flange;
  model Load
    Pin p;
    Pin q[2];
    Flange f;
  end Load;
  model Circuit
    Load a, b;
  equation
    if time > 1 then
      connect(a.p, b.f);
      connect(a.p, b.q);
    elseif time > 0.5 then
      connect(a.p, b.x);
    else
      connect(a.p, b);
    end if;
    if on then
      connect(a.p, b.p);
    end if;
  end Circuit;
end Net;
// expect C001 at 19:7
// expect C001 at 20:7
// expect N001 at 22:22
// expect C002 at 24:20
// expect N001 at 26:8
