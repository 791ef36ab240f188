// An ideal diode: its switch depends on the loop that it is part of.
model Mixed
  Boolean off(start = true);
  Real s, v, i, u(start = 0, fixed = true);
equation
  off = s < 0;
  v = if off then s else 0;
  i = if off then 0 else s;
  sin(time) - v - u = 0.1*i;
  der(u) = i;
end Mixed;
