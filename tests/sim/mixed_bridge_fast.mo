// The bridge of mixed_bridge.mo with a small load: it blocks for five microseconds in each half wave.
// run: --stop 0.1 --rtol 1e-9
// expect uC(0.1) = 0.165076168929 +- 1e-9
// expect state_events = 19
model MixedBridgeFast
  constant Real pi = 3.141592653589793;
  parameter Real R1 = 20, R2 = 10, C = 1e-6;
  Real i0, va, vb, uC(start = 0, fixed = true);
  Real s[4], u[4], i[4];
  Boolean off[4](each start = true);
equation
  va - vb = 220*sin(100*pi*time) - R1*i0;
  u = {va - uC, vb - uC, -va, -vb};
  i0 + i[3] = i[1];
  i[4] = i[2] + i0;
  i[1] + i[2] = C*der(uC) + uC/R2;
  for k in 1:4 loop
    off[k] = s[k] < 0;
    u[k] = if off[k] then s[k] else 0;
    i[k] = if off[k] then 0 else s[k];
  end for;
end MixedBridgeFast;
