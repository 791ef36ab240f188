// What no equation of the first mode determines shows a default, which is told; a start value that was given is one.
// class: ModeWithoutValue
// expect error R632 at 15
// expect message `jet.q[1]` has no equation in the mode that the run begins in, and no start value: it shows 0 there
// expect message in the mode: not (`
// expect message neither have 3 others: `jet.q[2]`, `rate`, `speed`
// expect rate(0.25) = 0 +- 0
// expect kept(0.25) = 4 +- 0
// expect rate(1) = 3 +- 1e-9
// expect kept(1) = 6 +- 1e-9
model Jet
  parameter Real opens;
  Real p;
  // its place is the next line
  Real q[2];
equation
  p = 2*time;
  if p > opens then
    q = {p, 2*p};
  end if;
end Jet;

model ModeWithoutValue
  Jet jet(opens = 1.5);
  Real rate, kept(start = 4), speed(min = -1);
equation
  if time > 0.5 then
    rate = 3;
    kept = 6*time;
    der(speed) = 1;
  end if;
end ModeWithoutValue;
