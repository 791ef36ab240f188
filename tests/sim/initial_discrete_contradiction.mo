// The fixed start value of a discrete variable is a condition, as that of a state is; so are two equations for one parameter.
// expect exit 3
model initial_discrete_contradiction
  type Level = enumeration(low, high);
  discrete Real d(start = 4, fixed = true), e;
  Integer n(start = 2, fixed = true), m(start = 7, fixed = true);
  Boolean b(start = true, fixed = true);
  Level level(start = Level.high, fixed = true);
  String s(start = "u", fixed = true);
  parameter Integer p(fixed = false);
  parameter Real q(fixed = false);
  discrete Real f(start = q, fixed = true);
  Real x(start = 0, fixed = true);
initial equation
  d = 4.5;
  pre(n) = 3;
  b = false;
  level = Level.low;
  s = "v";
  p = 1;
  p = 5;
  q = 2;
  f = 6;
  m = 7;
equation
  e = d;
  der(x) = d + n + f + m;
  when x > 1000 then
    d = 1;
    n = 1;
    m = 1;
    b = not pre(b);
    level = Level.low;
    s = "w";
    f = 1;
  end when;
end initial_discrete_contradiction;
// expect error I501 at 15
// expect error I501 at 16
// expect error I501 at 17
// expect error I501 at 18
// expect error I501 at 19
// expect error I501 at 21
// expect message `d` is 4 instead of 4.5
// expect message fixed start values of `d`
// expect message `pre(n)` is 2 instead of 3
// expect message `p` is 1 instead of 5
// expect message but `q` is 2
