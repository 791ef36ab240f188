// Two capacitors that a switch joins: the structure of the mode where the run begins.
// options: --structure
model ModeFirst
  Real u1(start = 10, fixed = true), u2(start = 2, fixed = true), i;
equation
  der(u1) = -i;
  3*der(u2) = i;
  if time < 0.5 then
    u1 = u2;
  else
    i = 0;
  end if;
end ModeFirst;
