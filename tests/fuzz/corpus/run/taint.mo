model Taint
  Real u1(start=10,fixed=true), u2(start=2,fixed=true), i, d;
equation
  der(u1) = -i; 3*der(u2) = i;
  u1 - u2 = d;
  if time > 0.5 then d = 0; else i = 0; end if;
end Taint;
