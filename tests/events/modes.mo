// Collisions of three kinds in one structure each: two carts couple (index 2), capacitors are joined, and an impact with restitution is
// left again in its instant, a pinnacle. Jumps, areas and lost energy have closed forms.
// run: --stop 1 --intervals 2 --rtol 1e-9
// instants: 0.25, 0.5
model Modes
  parameter Real m1 = 2, m2 = 1, e = 0.5;
  Real u1(start = 10, fixed = true), u2(start = 2, fixed = true), i;
  Real x1(start = 0, fixed = true), x2(start = 0.75, fixed = true), v1(start = 3, fixed = true), v2(start = 0, fixed = true), F;
  Boolean contact(start = false, fixed = true);
  discrete Real dv(start = 0, fixed = true);
equation
  der(u1) = -i;
  3*der(u2) = i;
  if time > 0.5 then
    u1 = u2;
  else
    i = 0;
  end if;
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
end Modes;
