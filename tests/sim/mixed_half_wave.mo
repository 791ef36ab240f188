// Half-wave rectifier with an ideal diode: five unknowns and a Boolean that determine each other. It conducts where the source
// is positive: the resistor sees the positive half waves, and the mean power follows.
// run: --stop 2 --rtol 1e-9 --intervals 8
// expect i(0.25) = 2 +- 1e-12
// expect i(0.75) = 0 +- 1e-12
// expect charge(2) = 8/(2*pi) +- 1e-8
// expect state_events = 3
model MixedHalfWave
  constant Real pi = 3.141592653589793;
  Real v0, v1, u, s, i, charge(start = 0, fixed = true);
  Boolean off(start = true);
equation
  v0 = 10*sin(2*pi*time);
  off = s < 0;
  u = if off then s else 0;
  i = if off then 0 else s;
  u = v0 - v1;
  v1 = 5*i;
  der(charge) = i;
end MixedHalfWave;
