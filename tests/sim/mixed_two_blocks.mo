// Two blocks on top of each other with Coulomb friction below and between, both of mass 1. Until t = 0.1 the lower force is too
// small; then the upper force is added: both stuck contradicts the friction limits, both sliding contradicts the direction of the
// relative motion; the lower contact slides, the upper one stays: a = 0.5.
// run: --stop 0.5 --rtol 1e-9 --intervals 50
// expect f1(0.05) = 0.9 +- 1e-12
// expect f2(0.05) = 0 +- 1e-12
// expect f1(0.5) = 1 +- 1e-12
// expect f2(0.5) = 0.6 +- 1e-12
// expect v1(0.5) = 0.2 +- 1e-9
// expect v2(0.5) = 0.2 +- 1e-9
package TwoBlocks
  partial model Friction
    parameter Real f0 = 1 "sliding force";
    parameter Real peak = 1;
    Real v, a, f, sa;
    Boolean startForward, startBackward, locked;
    Integer mode(start = 0, fixed = true) "-1 backward, 0 stuck, 1 forward";
  equation
    startForward = pre(mode) == 0 and (sa > peak or pre(startForward) and sa > 1);
    startBackward = pre(mode) == 0 and (sa < -peak or pre(startBackward) and sa < -1);
    locked = pre(mode) == 0 and not (startForward or startBackward);
    f = if locked then f0*sa else if startForward or pre(mode) == 1 then f0 else -f0;
    a = if locked then 0 else if startForward then sa - 1 else if startBackward then sa + 1 else if pre(mode) == 1 then sa - 1 else sa + 1;
    mode = if (pre(mode) == 1 or startForward) and v > 0 then 1 else if (pre(mode) == -1 or startBackward) and v < 0 then -1 else 0;
  end Friction;
  model Contact
    extends Friction;
  end Contact;
  model Blocks
    Contact below, between;
    Real v1(start = 0, fixed = true), v2(start = 0, fixed = true), f1, f2, u1, u2;
  equation
    u1 = 0.9;
    u2 = if time >= 0.1 then 1.1 else 0;
    f1 = below.f;
    f2 = between.f;
    der(v1) = u1 + f2 - f1;
    der(v2) = u2 - f2;
    below.v = v1;
    below.a = der(v1);
    between.v = v2 - v1;
    between.a = der(v2) - der(v1);
  end Blocks;
end TwoBlocks;
// class: TwoBlocks.Blocks
