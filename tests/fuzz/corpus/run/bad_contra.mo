model Contra "x = y and x = y + 1"
  Real x(start=0,fixed=true), y(start=1,fixed=true), F, G;
equation
  der(x)=F+G; der(y)=-F-G;
  if time > 0.5 then x = y; else F = 0; end if;
  if time > 0.5 then x = y+1; else G = 0; end if;
end Contra;
