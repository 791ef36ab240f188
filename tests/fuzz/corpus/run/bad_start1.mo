model Start1 "closed at the start, both fixed to different values"
  Real a(start=1,fixed=true), b(start=0,fixed=true), i;
equation der(a) = -i; der(b) = i; if time < 0.5 then a = b; else i = 0; end if;
end Start1;
