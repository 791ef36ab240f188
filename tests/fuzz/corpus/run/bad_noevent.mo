model NE
  Real x(start=1,fixed=true), F;
equation
  der(x) = F - 1;
  if noEvent(x < 0.5) then x = 0.5; else F = 0; end if;
end NE;
