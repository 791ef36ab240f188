// Initial equations that say what fixed start values of discrete variables say, too, do no harm; a variable that a
// when-clause sets at the start has a value of its own beside its fixed pre value.
// run: --stop 1 --intervals 10
model initial_discrete_redundant
  type Level = enumeration(low, high);
  discrete Real d(start = 4, fixed = true), c(start = 1, fixed = true), f(start = 9);
  Integer n(start = 2, fixed = true);
  Boolean b(start = true, fixed = true);
  Level level(start = Level.high, fixed = true);
  String s(start = "u", fixed = true);
  Real x(start = 0, fixed = true);
initial equation
  d = 4;
  pre(n) = 2;
  b = true;
  level = Level.high;
  s = "u";
  c = 3;
  pre(c) = 1;
  f = 5;
equation
  der(x) = d + n + c + (if b and level == Level.high and s == "u" then 10 else 0);
  when initial() then
    c = pre(c) + 2;
  end when;
  when x > 1000 then
    d = 1;
    n = 1;
    f = 2;
    b = not pre(b);
    level = Level.low;
    s = "w";
  end when;
end initial_discrete_redundant;
// expect x(1) = 19 +- 1e-6
// expect c(1) = 3
// expect f(0) = 5
// expect f(1) = 5
