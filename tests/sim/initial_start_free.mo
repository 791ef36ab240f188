// MLS 3.6 section 8.6: a fixed start value is the equation x = start, pre(n) = start for a discrete variable, also where start follows
// from a parameter that initial equations determine.
// run: --stop 1 --intervals 2
// expect x(0) = 10 +- 1e-9
// expect x(1) = 10*exp(-1) +- 1e-5
// expect n(0) = 5 +- 0
// expect n(0.5) = 4 +- 0
// expect b(0) = 1 +- 0
// expect y(0) = 3 +- 1e-9
model InitialStartFree
  parameter Integer n0(fixed = false);
  parameter Real p(fixed = false), twice = 2*p;
  parameter Boolean b0(fixed = false);
  Integer n(start = n0, fixed = true);
  Boolean b(start = b0, fixed = true);
  Real x(start = twice, fixed = true), y(start = 3, fixed = true);
initial equation
  n0 = 5;
  b0 = true;
  p = y + 2;
equation
  der(x) = -x;
  der(y) = 0;
  when sample(0.25, 0.5) then
    n = pre(n) - 1;
    b = pre(b);
  end when;
end InitialStartFree;
