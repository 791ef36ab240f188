model Infinite
  Real x(start=0.1,fixed=true), v(start=0,fixed=true), F;
equation
  der(x)=v; der(v)=F;
  if time > 0.5 then x = 0; else F = 0; end if;
end Infinite;
