// Appendix B: the passes of an event end when nothing changes; if a state comes back they never do, and the circle is told.
// run: --stop 2
// expect exit 4
// expect error R607 at 11
// expect message `a`, `b` and `colour` change again and again
// expect message the same state comes back every 4 passes
// expect message pass 1 changes `a` from false to true, `colour` from green to red
// expect message pass 4 changes `b` from true to false
model RulesCycle
  type Colour = enumeration(red, green);
  Boolean a(start = false, fixed = true), b(start = false, fixed = true);
  Colour colour(start = Colour.red, fixed = true);
equation
  a = time >= 1 and not pre(b);
  b = pre(a);
  colour = if a then Colour.red else Colour.green;
end RulesCycle;
