// A run that begins before 0 and goes through it.
// run: --start -3 --stop 2 --intervals 100
// solvers: auto cvode ida rosenbrock rk4
// expect x(2) = 5 +- 1e-9
// expect t(2) = -0.75 +- 1e-6
// expect n(2) = 5 +- 0
// expect first(2) = -2.7 +- 1e-12
// expect w(2) = 1 +- 0
model TimeBefore
  Real x(start = 0, fixed = true);
  discrete Real t(start = 0, fixed = true), first(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 2.25 then
    t = time;
  end when;
  when sample(-2.7, 1) then
    n = pre(n) + 1;
    first = if pre(n) == 0 then time else pre(first);
  end when;
  when time > -1 then
    w = pre(w) + 1;
  end when;
end TimeBefore;
