// Three ways to write an ideal diode, each in a half-wave rectifier of 10 V, 1 Hz, 5 ohm: the parameterised curve; a machine with
// two states; the complementarity of current and blocking voltage by min(). The currents agree; the last one makes no events.
// run: --stop 2 --rtol 1e-9 --intervals 16
// expect i1(0.25) = 2 +- 1e-10
// expect i1(0.75) = 0 +- 1e-10
// expect i2(0.25) = 2 +- 1e-10
// expect i2(0.75) = 0 +- 1e-10
// expect i3(0.25) = 2 +- 1e-10
// expect i3(0.75) = 0 +- 1e-10
// expect q1(2) = 8/(2*pi) +- 1e-8
// expect q2(2) = 8/(2*pi) +- 1e-8
// expect q3(2) = 8/(2*pi) +- 1e-6
// expect state_events = 3
model MixedDiodeForms
  constant Real pi = 3.141592653589793;
  Real v0 = 10*sin(2*pi*time);
  Real s, u1, i1, u2, i2, u3, i3;
  Real q1(start = 0, fixed = true), q2(start = 0, fixed = true), q3(start = 0, fixed = true);
  Boolean off1(start = true), on2(start = false, fixed = true);
equation
  off1 = s < 0;
  u1 = if off1 then s else 0;
  i1 = if off1 then 0 else s;
  u1 = v0 - 5*i1;
  on2 = if pre(on2) then i2 >= 0 else u2 > 0;
  0 = if pre(on2) then u2 else i2;
  u2 = v0 - 5*i2;
  0 = min(i3, -u3);
  u3 = v0 - 5*i3;
  der(q1) = i1;
  der(q2) = i2;
  der(q3) = i3;
end MixedDiodeForms;
