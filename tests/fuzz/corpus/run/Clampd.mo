model Clampd "a capacitor that is discharged by a current; a diode keeps it from going negative"
  Real u(start=1,fixed=true), id, v, s; Boolean off(start=true);
equation
  1*der(u) = -(1 + sin(5*time)*3) + id;
  v = -u;
  v = if off then s else 0;
  id = if off then 0 else s;
  off = s < 0;
end Clampd;
