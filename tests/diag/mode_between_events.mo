package Quiet "the set of equations may change at events only"
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
    Load a, b;
    Real x(start = 0, fixed = true), y;
  equation
    der(x) = 1;
    if noEvent(x > 1) then
      y = 1;
    end if;
    if noEvent(x > 2) then
      connect(a.p, b.p);
    end if;
  end Circuit;
end Quiet;
// expect V001 at 16:5
// expect V001 at 20:7
