model Start3 "fixed v contradicts x tie"
  Real x1(start=0,fixed=true), x2(start=0,fixed=true), v1(start=1,fixed=true), v2(start=2,fixed=true), F;
equation der(x1)=v1; der(x2)=v2; der(v1)=-F; der(v2)=F; if time < 0.5 then x1 = x2; else F = 0; end if;
end Start3;
