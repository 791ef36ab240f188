package Net
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Load
    Pin p;
  equation
    p.v = p.i;
  end Load;
  model Circuit
    Load a;
    Load b;
  equation
    connect(a, b.p);
  end Circuit;
end Net;
// expect C002 at 15:13
