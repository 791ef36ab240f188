// An ideal diode switches at the very instants of a sample: each is one instant, at which the new mode is found at once, and
// counts as an event of both kinds.
// run: --stop 1.9 --rtol 1e-6 --intervals 38
// expect i(0.25) = 2 +- 1e-9
// expect i(0.75) = 0 +- 1e-9
// expect n(1.9) = 3 +- 0
// expect state_events = 3
// expect time_events = 3
// expect rows = 42
model EventCoincides
  constant Real pi = 3.141592653589793;
  Real v0, v1, u, s, i, charge(start = 0, fixed = true);
  Boolean off(start = true);
  Integer n(start = 0, fixed = true);
equation
  v0 = 10*sin(2*pi*time);
  off = s < 0;
  u = if off then s else 0;
  i = if off then 0 else s;
  u = v0 - v1;
  v1 = 5*i;
  der(charge) = i;
  when sample(0.5, 0.5) then
    n = pre(n) + 1;
  end when;
end EventCoincides;
