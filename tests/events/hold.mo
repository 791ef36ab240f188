// Ideal diodes: relations that depend on the currents which they switch change without an event of a discrete variable.
// run: --stop 1
// instants: 0.5
model Hold
  Real s(start = 0), u, i;
  Boolean off;
equation
  u = 1 - 2*time;
  off = s < 0;
  u = if off then s else 0.5*s;
  i = if off then 0 else s;
end Hold;
