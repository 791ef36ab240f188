model ManyMode "mode from an integer counter"
  Real x(start=1,fixed=true), F; Boolean c(start=false,fixed=true);
equation der(x) = F-1;
 c = not pre(c);
 if c then x = 0; else F = 0; end if;
end ManyMode;
