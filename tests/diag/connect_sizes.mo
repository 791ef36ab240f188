package Signals
  connector In = input Real;
  connector Out = output Real;
  block Source
    Out y[3] = {1, 2, 3}*time;
  end Source;
  block Sink
    In u[2];
    Real s = sum(u);
  end Sink;
  model Net
    Source a;
    Sink b;
  equation
    connect(a.y, b.u);
  end Net;
end Signals;
// expect C001 at 15:5
