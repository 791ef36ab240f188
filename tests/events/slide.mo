// A motion that slides along a relation and leaves it, and events that accumulate: the ball rests.
// run: --stop 6 --intervals 6
// instants: 0.2, 0.36, 0.424, 0.4496, 0.45984, 0.463936, 0.4655744, 0.46622976, 0.466491904, 0.4665967616, 0.46663870464, 0.2 + 0.16/0.6, 4 - sqrt(8), 4
model Slide
  Real x(start = 1, fixed = true), s;
  Real h(start = 0.2, fixed = true), v(start = 0, fixed = true);
equation
  s = if x > 0 then 1 else -1;
  der(x) = -s + time/4;
  der(h) = v;
  der(v) = -10;
  when h <= 0 then
    reinit(v, -0.4*pre(v));
  end when;
end Slide;
