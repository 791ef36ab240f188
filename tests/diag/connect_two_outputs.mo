package Signals
  connector Out = output Real;
  block Source
    Out y = time;
  end Source;
  model Net
    Source a;
    Source b;
  equation
    connect(a.y, b.y);
  end Net;
end Signals;
// expect C001 at 10:5
