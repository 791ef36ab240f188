// A motion that slides along a relation and leaves it, and events that accumulate: the ball rests.
// run: --stop 6 --intervals 6
// instants: 0.2, 0.4, 0.5, 0.55, 0.575, 0.5875, 0.59375, 0.596875, 0.5984375, 0.59921875, 0.599609375, 0.5998046875, 0.59990234375, 0.599951171875, 0.6, 4 - sqrt(8), 4
model Slide
  Real x(start = 1, fixed = true), s;
  Real h(start = 0.2, fixed = true), v(start = 0, fixed = true);
equation
  s = if x > 0 then 1 else -1;
  der(x) = -s + time/4;
  der(h) = v;
  der(v) = -10;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
end Slide;
