model NanJ
  Real a(start=1,fixed=true), b(start=0,fixed=true), i, c;
equation c = if time > 0.5 then log(0.4-time) else 1; c*der(a) = -i; der(b) = i; if time > 0.5 then a = b; else i = 0; end if;
end NanJ;
