model Inductor "freewheel"
  parameter Real L=1;
  Real i(start=2,fixed=true), v, s, id, isw, vd;
  Boolean off(start=true,fixed=true);
  Boolean open;
equation
  open = time > 0.5;
  L*der(i) = v;
  i = isw + id;
  vd = -v;
  if open then isw = 0; else v = 0; end if;
  if off then id = 0; s = vd; else vd = 0; s = id; end if;
  off = s <= 0;
end Inductor;
