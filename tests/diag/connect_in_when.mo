package Net
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Circuit
    Pin a;
    Pin b;
  equation
    when time > 1 then
      connect(a, b);
    end when;
  end Circuit;
end Net;
// expect D403 at 11:7
