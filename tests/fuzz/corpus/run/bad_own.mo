model Own "a condition that depends on what it decides"
  Real x(start=1,fixed=true), F; 
equation
  der(x) = F - 1;
  if F < 0.5 and time > 0.5 then x = 1; else F = 0; end if;
end Own;
