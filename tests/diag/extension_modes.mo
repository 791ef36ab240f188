// options: --std
package Modes
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Load
    Pin p;
  equation
    p.v = p.i + 1;
  end Load;
  model All
    Load a[2], b[2];
    Real x(start = 0, fixed = true), y, area, before, d(start = 0);
    Boolean late = pre(x) > 1 "continuous outside of a when-clause";
  equation
    der(x) = 1;
    before = x + pre(d) "discrete, as a when-clause assigns it";
    when x > 1 then
      d = pre(x) "in a when-clause";
    end when;
    if x > 1 then
      y = 1;
    end if;
    area = impulse(y);
    for k in 1:2 loop
      if late then
        connect(a[k].p, b[k].p);
      end if;
    end for;
  end All;
end Modes;
// expect D406 at 15:20
// expect X003 at 15:20
// expect X003 at 22:5
// expect X003 at 25:5
// expect X003 at 28:9
