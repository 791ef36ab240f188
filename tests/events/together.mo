// Two relations at one instant, two time events and a sample at another.
// run: --stop 1
// instants: 0.25, 0.5
model Together
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  Boolean late, later;
equation
  der(x) = 4;
  der(y) = 4;
  when x >= 1 then
    n = pre(n) + 1;
  end when;
  when {y > 1, sample(0.5, 1)} then
    m = pre(m) + 1;
  end when;
  late = time >= 0.5;
  later = 2*time > 1;
end Together;
