// A circle through pre() of a continuous variable alone: found, and told with its values.
// run: --stop 1
// expect exit 4
// expect error R607 at 8
// expect message pass 1 changes `a` from 0 to 3
model PreCircle
  parameter Real top = 3;
  Real a;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  a = if x > 0.5 then top - pre(a) else 0;
end PreCircle;
