// A relation fires, reinit turns the velocity around, the relation is left again: three passes that change something.
// run: --stop 2 --rtol 1e-9
// instants: sqrt(2/9.81), 2.6*sqrt(2/9.81), 3.88*sqrt(2/9.81)
model Ball
  parameter Real e = 0.8;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Integer bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -e*pre(v));
    bounces = pre(bounces) + 1;
  end when;
end Ball;
