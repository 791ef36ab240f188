package Modes "if-equations with a discrete condition: the set of equations changes with the mode"
  model Clamp
    Real x(start = 0, fixed = true);
  equation
    if time < 0.5 then
      der(x) = 10;
    else
      x = -5;
    end if;
  end Clamp;
  model Collision
    parameter Real m1 = 2, m2 = 1, e = 0.5;
    Real x1(start = 0, fixed = true), x2(start = 1, fixed = true);
    Real v1(start = 3, fixed = true), v2(start = 0, fixed = true);
    Real F;
    Boolean contact(start = false, fixed = true);
    discrete Real dv(start = 0);
  equation
    der(x1) = v1;
    der(x2) = v2;
    m1*der(v1) = -F;
    m2*der(v2) = F;
    contact = x1 >= x2 and (pre(v1) > pre(v2) or pre(contact) and not pre(v1) < pre(v2));
    when contact then
      dv = pre(v1) - pre(v2);
    end when;
    if contact then
      v1 - v2 = -e*dv;
    else
      F = 0;
    end if;
  end Collision;
  model Both
    Clamp clamp;
    Collision collision;
  end Both;
end Modes;
// expect nothing
