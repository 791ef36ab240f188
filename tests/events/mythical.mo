// A body hits another one that rests at a wall. Both going on together is tried first, but then the second one would enter the wall: that
// mode is left before it changes anything (a mythical one), and both stop. All energy is lost, 9 J, with pulses of 6 N.s.
// run: --stop 1 --intervals 2
// instants: 0.33333333333333337
model Mythical
  parameter Real m1 = 2, m2 = 1;
  Real x1(start = 0, fixed = true), x2(start = 1, fixed = true), v1(start = 3, fixed = true), v2(start = 0, fixed = true), F, N;
  Boolean touch(start = false, fixed = true), stop(start = false, fixed = true);
equation
  der(x1) = v1;
  der(x2) = v2;
  m1*der(v1) = -F;
  m2*der(v2) = F - N;
  touch = x1 >= x2 and (v1 > v2 or F > 0);
  stop = x2 >= 1 and (v2 > 0 or N > 0);
  if touch then
    v1 = v2;
  else
    F = 0;
  end if;
  if stop then
    v2 = 0;
  else
    N = 0;
  end if;
end Mythical;
