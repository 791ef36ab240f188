// MLS 3.6 section 3.7.4.1: the value at the start until the delay has passed, then the past, with both sides of jumps; a jump comes
// back as an event at the exact time. x' = -x(t - 0.5) by the method of steps: 1 - t, then 0.5 - s + s^2/2 with s = t - 0.5.
// run: --stop 1 --rtol 1e-8 --intervals 20
// expect x(0.5) = 0.5 +- 1e-8
// expect x(1) = 0.125 +- 1e-6
// expect y(0.25) = 0 +- 1e-12
// expect y(1) = sin(0.7) +- 1e-7
// expect z(0.15-) = 0 +- 0
// expect z(0.15) = 1 +- 0
// expect z(0.35-) = 1 +- 0
// expect z(0.35) = 2 +- 0
// expect t_jump(1) = 0.95 +- 1e-12
// expect state_events = 5
model DelayJumps
  Real x(start = 1, fixed = true), y = delay(sin(time), 0.3), z = delay(q, 0.05);
  discrete Real q(start = 0, fixed = true), t_jump(start = 0, fixed = true);
  Boolean late = z > 4.5;
equation
  der(x) = -delay(x, 0.5);
  when sample(0.1, 0.2) then
    q = pre(q) + 1;
  end when;
  when late then
    t_jump = time;
  end when;
end DelayJumps;
