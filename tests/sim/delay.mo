// delay: until the delay time has passed the value at the start, then the past of a ramp and of a sine.
// run: --stop 2 --rtol 1e-8
// expect late(2) = 1.5 +- 1e-9
// expect late(0.3) = 0 +- 1e-12
// expect wave(2) = sin(1.75) +- 1e-5
model Delays
  Real ramp(start = 0, fixed = true);
  Real late = delay(ramp, 0.5);
  Real wave = delay(sin(time), 0.25);
equation
  der(ramp) = 1;
end Delays;
