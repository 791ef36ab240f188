// An Integer that a when determines together with a continuous variable: the values are iterated at the event, from the previous
// one: at t = 1 n = integer(y/2) and y = 10*time + n/2 agree for n = 6.
// run: --stop 1.5 --intervals 3
// expect n(1) = 6 +- 0
// expect y(1) = 13 +- 1e-12
// expect y(1.5) = 18 +- 1e-12
model IntegerLoop
  Integer n(start = 0, fixed = true);
  Real y;
equation
  when time >= 1 then
    n = integer(y/2);
  end when;
  y = 10*time + n/2;
end IntegerLoop;
