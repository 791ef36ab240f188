// a counts to 10 by pre() in one instant while b goes to and fro: the same values of b and of the relations come back, but a is another one,
// and that is no circle.
// run: --stop 1
// solvers: auto rk45
// expect a(1) = 10 +- 0
// expect b(1) = 1
// expect a(0.5-) = 0 +- 0
model PreNoCircle
  Real a, x(start = 0, fixed = true);
  Boolean b(start = false, fixed = true);
equation
  der(x) = 1;
  a = if time > 0.5 then min(pre(a) + 1, 10) else 0;
  b = if time > 0.5 and pre(a) < 5 then not pre(b) else pre(b);
end PreNoCircle;
