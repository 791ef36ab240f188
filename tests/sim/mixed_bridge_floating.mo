// The bridge of mixed_bridge.mo starts blocked (capacitor at 150 V, source at 100 V), with one diode said to conduct. That it
// conducts no current agrees with the equations, too, but its relation would be on its limit all the time: blocked it shall be,
// and the floating potentials are those next to 0.
// run: --stop 1e-3 --intervals 10 --rtol 1e-9
// expect off[1](0) = 1 +- 0
// expect s[1](0) = -25 +- 1e-9
// expect s[2](0) = -125 +- 1e-9
// expect s[3](0) = -125 +- 1e-9
// expect s[4](0) = -25 +- 1e-9
// expect uC(1e-3) = 150*exp(-1e-3/0.05) +- 1e-6
// expect state_events = 0
model MixedBridgeFloating
  parameter Real R1 = 20, R2 = 500, C = 1e-4, u0 = 100;
  Real i0, va, vb, uC(start = 150, fixed = true);
  Real s[4], u[4], i[4];
  Boolean off[4](start = {false, true, true, true});
equation
  va - vb = u0 - R1*i0;
  u = {va - uC, vb - uC, -va, -vb};
  i0 + i[3] = i[1];
  i[4] = i[2] + i0;
  i[1] + i[2] = C*der(uC) + uC/R2;
  for k in 1:4 loop
    off[k] = s[k] < 0;
    u[k] = if off[k] then s[k] else 0;
    i[k] = if off[k] then 0 else s[k];
  end for;
end MixedBridgeFloating;
