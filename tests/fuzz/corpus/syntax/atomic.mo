atomic P "hfss" parameter Real r = 0.1; input Real x; output event Real y;
hfss
  initial elapsed = r; timeToInput = r; transition if not out then x1 := x; end if; end transition; y = x0;
end P;
