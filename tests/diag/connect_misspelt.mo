package Net
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Load
    Pin plus;
  equation
    plus.v = plus.i;
  end Load;
  model Circuit
    Load a;
    Load b;
  equation
    connect(a.plus, b.pluss);
  end Circuit;
end Net;
// expect N001 at 15:23
