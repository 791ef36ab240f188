// Two ideal diodes, whose curve parameters are volts when they block and amperes when they conduct, load two capacitors from one
// source; a comparator counts. Nothing but the units V, A and S of voltage, current and time has a size.
// stop: 5
model Rectifier
  parameter Real V = 1, A = 1, S = 1;
  constant Real pi = 3.141592653589793;
  Real e = 3*V*sin(2*pi*time/S) "of the source";
  Real uc[2](each start = 0, each fixed = true, each nominal = V), i[2], u[2], s[2];
  Boolean off[2](each start = true), high;
  Integer n(start = 0, fixed = true);
equation
  for k in 1:2 loop
    off[k] = s[k] < 0;
    u[k] = if off[k] then s[k] else 0;
    i[k] = if off[k] then 0 else s[k];
    e - uc[k] = u[k] + k*0.7*V/A*i[k];
    A*S/V*0.3*der(uc[k]) = i[k] - A/V*0.5*k*uc[k];
  end for;
  high = uc[1] > 1.5*V + 0.2*uc[2];
  when high then
    n = pre(n) + 1;
  end when;
end Rectifier;
