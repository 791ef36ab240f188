package Mixed
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Flange
    Real phi;
    flow Real tau;
  end Flange;
  model A
    Pin p;
  equation
    p.v = time;
  end A;
  model B
    Flange f;
  equation
    f.tau = 1;
  end B;
  model Net
    A a;
    B b;
  equation
    connect(a.p, b.f);
  end Net;
end Mixed;
// expect C001 at 24:5
