model Under
  Real x(start=0,fixed=true), y, z;
equation
  der(x)=y;
  if time > 0.5 then y + z = 1; else y = 1; z = 2; end if;
end Under;
