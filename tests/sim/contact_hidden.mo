// A tension is solved together with the acceleration: on which of the two bodies the floor would push is not known.
// run: --stop 4
// expect exit 5
// expect error R629 at 15
// expect message not known
model ContactHidden
  parameter Real m = 1.5, n = 2;
  Real h(start = 0.6, fixed = true), v(start = 0, fixed = true), tension, a;
equation
  der(h) = v;
  a = der(v);
  m*a = -m*9.81 + tension;
  n*a = 3 - tension - 0.1*v;
  /* bounces */
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
end ContactHidden;
