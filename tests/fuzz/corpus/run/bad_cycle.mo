model Cycle
  Real x(start=1,fixed=true), F;
  Boolean c;
equation
  der(x) = -1 + F;
  c = time > 0.5 and x > 0.2;
  if c then x = 0; else F = 0; end if;
end Cycle;
