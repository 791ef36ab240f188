model Reinit
  Real v1(start = 3, fixed = true), v2(start = 0, fixed = true), F;
  Boolean stuck = time > 0.5;
equation
  2*der(v1) = -F;
  der(v2) = F;
  if stuck then v1 = v2; else F = 0; end if;
  when time > 0.8 then reinit(v1, 7); end when;
  when time > 0.8 then reinit(v2, 8); end when;
end Reinit;
