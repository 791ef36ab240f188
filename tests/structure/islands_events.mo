// Two parts that act on each other through events alone: a counter of one drives the other, which resets the first.
model Events
  Real a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(a) = 1;
  der(b) = n - b;
  der(c) = if a > 0.5 then 1 else 0;
  when a > 1 then
    n = pre(n) + 1;
  end when;
  when b > 0.9 then
    reinit(a, 0);
  end when;
end Events;
