// Appendix B: when-clauses that make each other active; each `pre` costs a pass. The reinit of pass 1 is seen by pass 2, as value and
// as pre value (MLS 3.6 section 8.3.6); x > 8 then is an event of the same instant.
// run: --stop 2 --intervals 2
// instants: 1
model Relay
  Real x(start = 0, fixed = true);
  Boolean first(start = false, fixed = true), second(start = false, fixed = true), third(start = false, fixed = true);
  discrete Real was(start = 0, fixed = true);
equation
  der(x) = 1;
  when time >= 1 then
    reinit(x, 9);
    first = true;
  end when;
  when pre(first) then
    second = true;
    was = pre(x);
  end when;
  when pre(second) and x > 8 then
    third = true;
  end when;
end Relay;
