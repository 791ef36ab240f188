// A collision that begins in touch bounces in the first instant, although the speeds are fixed: the mode before it is fixed, too.
// class: FirstModeContact.All
// run: --stop 0.1 --rtol 1e-9 --intervals 4
// solvers: rk45 ida
package FirstModeContact
  model Pair
    parameter Real m1 = 3, m2 = 1, e = 0.25;
    Real x1(start = 2, fixed = true), x2(start = 2, fixed = true);
    Real v1(start = 4, fixed = true), v2(start = -4, fixed = true), F;
    Boolean contact(start = false, fixed = true);
    discrete Real dv(start = 0, fixed = true), area(start = 0, fixed = true);
  equation
    der(x1) = v1;
    der(x2) = v2;
    m1*der(v1) = -F;
    m2*der(v2) = F;
    contact = x1 >= x2 and (pre(v1) > pre(v2) or pre(contact) and not pre(v1) < pre(v2));
    when contact then
      dv = pre(v1) - pre(v2);
      area = impulse(F);
    end when;
    if contact then
      v1 - v2 = -e*dv;
    else
      F = 0;
    end if;
  end Pair;
  model All
    Pair some, plastic(e = 0), apart(v1(start = -1), v2(start = 1));
  end All;
end FirstModeContact;
// expect some.v1(0) = 2 - 0.25*8/4 +- 1e-12
// expect some.v2(0) = 2 + 0.25*8*3/4 +- 1e-12
// expect some.area(0) = 1.25*8*3/4 +- 1e-12
// expect some.x2(0.1) = 2.35 +- 1e-9
// expect some.contact(0.1) = 0
// expect plastic.v1(0.1) = 2 +- 1e-12
// expect plastic.v2(0.1) = 2 +- 1e-12
// expect plastic.contact(0.1) = 1
// expect apart.v1(0.1) = -1
// expect apart.contact(0.1) = 0
// expect error I503
// expect message `some.v1` begins with 1.
