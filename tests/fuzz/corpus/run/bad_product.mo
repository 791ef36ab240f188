model Pr
  Real u1(start=10,fixed=true), u2(start=2,fixed=true), i, j, p(start=0,fixed=true), a1(start=1,fixed=true), a2(start=2,fixed=true);
equation
  der(u1) = -i; 3*der(u2) = i; der(a1)=-j; der(a2)=j; der(p) = i*j;
  if time > 0.5 then u1 = u2; a1=a2; else i = 0; j=0; end if;
end Pr;
