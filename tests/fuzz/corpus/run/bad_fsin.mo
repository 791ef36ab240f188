model Fs
  Real u1(start=10,fixed=true), u2(start=2,fixed=true), i, y;
  Boolean big = sin(i) > 0.5;
equation
  der(u1) = -i; 3*der(u2) = i; y = sin(i);
  if time > 0.5 then u1 = u2; else i = 0; end if;
end Fs;
