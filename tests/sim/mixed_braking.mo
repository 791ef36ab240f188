// The end of braking: a body slides, a brake with Coulomb friction stops it, it stays stuck although a smaller force pulls, and
// starts again when the force is larger than the friction. One event each, no chatter: v = 1 - 0.5*t until 2, stuck until the
// force time/4 - 0.75 reaches 1 at t = 7, then v' = (time - 7)/4.
// run: --stop 9 --intervals 90 --rtol 1e-8
// expect v(1) = 0.5 +- 1e-7
// expect v(2) = 0 +- 1e-7
// expect v(5) = 0 +- 1e-9
// expect v(9) = 0.5 +- 1e-6
// expect t_stuck(9) = 2 +- 1e-7
// expect t_start(9) = 7 +- 1e-7
// expect events = 4
model MixedBraking
  parameter Real f0 = 1, m = 1;
  Real v(start = 1, fixed = true), a, f, sa, u;
  Boolean startForward(start = false, fixed = true), startBackward(start = false, fixed = true), locked;
  Integer mode(start = 1, fixed = true) "-1 backward, 0 stuck, 1 forward";
  discrete Real t_stuck(start = 0, fixed = true), t_start(start = 0, fixed = true);
equation
  u = if time < 2.5 then 0.5 else time/4 - 0.75;
  m*a = u - f;
  a = der(v);
  startForward = pre(mode) == 0 and (sa > 1 or pre(startForward) and v > 0);
  startBackward = pre(mode) == 0 and (sa < -1 or pre(startBackward) and v < 0);
  locked = pre(mode) == 0 and not (startForward or startBackward);
  f = if locked then sa else if pre(mode) == 1 or startForward then f0 else -f0;
  a = if locked then 0 else if startForward then sa - 1 else if startBackward then sa + 1 else if pre(mode) == 1 then sa - 1 else sa + 1;
  mode = if (pre(mode) == 1 or startForward) and v > 0 then 1 else if (pre(mode) == -1 or startBackward) and v < 0 then -1 else 0;
  when locked then
    t_stuck = time;
  end when;
  when startForward then
    t_start = time;
  end when;
end MixedBraking;
