model Opposite "masses 1 and -1"
  Real a(start=1,fixed=true), b(start=0,fixed=true), i;
equation der(a) = -i; -der(b) = i; if time > 0.5 then a = b; else i = 0; end if;
end Opposite;
