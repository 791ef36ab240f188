// Each pass makes the next one necessary: a, b, c follow each other by pre; then reinit, then the relation is false again.
// run: --stop 1.5
// instants: 1
model Chain
  Real x(start = 0, fixed = true);
  Boolean a(start = false, fixed = true), b(start = false, fixed = true), c(start = false, fixed = true);
equation
  der(x) = 1;
  a = x >= 1;
  b = pre(a);
  c = pre(b);
  when c then
    reinit(x, 0.25);
  end when;
end Chain;
