model Index3 "two carts, the second one is hooked on when they meet; positions equal"
  parameter Real m1=2, m2=1;
  Real x1(start=0,fixed=true), x2(start=1,fixed=true), v1(start=3,fixed=true), v2(start=0,fixed=true), F;
  Boolean hooked(start=false, fixed=true);
  discrete Real P(start=0);
equation
  der(x1)=v1; der(x2)=v2; m1*der(v1)=-F; m2*der(v2)=F;
  hooked = x1 >= x2 or pre(hooked);
  if hooked then x1 = x2; else F = 0; end if;
  when abs(impulse(F)) > 0 then P = impulse(F); end when;
end Index3;
