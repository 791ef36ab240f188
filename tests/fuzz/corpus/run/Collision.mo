model Collision
  parameter Real m1=2, m2=1, e=0.5;
  Real x1(start=0,fixed=true), x2(start=1,fixed=true), v1(start=3,fixed=true), v2(start=0,fixed=true), F;
  Boolean contact(start=false, fixed=true); discrete Real dv(start=0);
equation
  der(x1)=v1; der(x2)=v2; m1*der(v1)=-F; m2*der(v2)=F;
  contact = x1 >= x2 and (pre(v1) > pre(v2) or pre(contact) and not pre(v1) < pre(v2));
  when contact then dv = pre(v1) - pre(v2); end when;
  if contact then v1 - v2 = -e*dv; else F = 0; end if;
end Collision;
