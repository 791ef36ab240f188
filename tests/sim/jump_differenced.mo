// A jump inside of an algorithm section: the Jacobian is differenced, and across the jump so large that Newton's method takes any
// correction for a small one. u is driven to 0 from both sides and must stay there; cvode went below 0 and stayed there.
// run: --stop 1.8 --rtol 1e-3
// solvers: cvode
// expect u(1.8) = 0 +- 1e-4
// expect min(u) >= -1e-4
// expect error R634 at 11
model jump_differenced
  Real u(start = 1.1, fixed = true), s;
algorithm
  s := noEvent(sign(u));
equation
  der(u) = 0.35 - s + 0.02*u;
end jump_differenced;
