model Start2 "all closed, none fixed"
  Real a(start=1), b(start=0), i;
equation der(a) = -i; der(b) = i; if time < 0.5 then a = b; else i = 0; end if;
end Start2;
