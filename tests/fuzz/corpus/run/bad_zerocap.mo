model ZeroCap
  parameter Real C = 0;
  Real a(start=1,fixed=true), b(start=0,fixed=true), i,j;
equation der(a) = -i - j; C*der(b) = i; if time > 0.5 then a = b; else i = 0; end if; j = 0;
end ZeroCap;
