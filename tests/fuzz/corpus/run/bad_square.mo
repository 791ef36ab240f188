model Sq
  Real u1(start=10,fixed=true), u2(start=2,fixed=true), i, p(start=0,fixed=true), w;
equation
  der(u1) = -i; 3*der(u2) = i; w = i^2; der(p) = w;
  if time > 0.5 then u1 = u2; else i = 0; end if;
end Sq;
