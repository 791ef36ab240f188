model Over
  Real x(start=0,fixed=true), y(start=0,fixed=true), F;
equation
  der(x)=1+F; der(y)=2;
  if time > 0.5 then x = y; y = 2*time; else F = 0; end if;
end Over;
