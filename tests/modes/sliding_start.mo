// Slides from the start until something else pushes it off the surface; again later, until the weight reaches its limit.
// tracks: x > 0
// track x > 0 | sliding along x > 0 | total = 3 + 6.5 - 3.8 - 0.8/3 +- 1e-6
// track x > 0 | sliding along x > 0 | entered = 2 +- 0
// track x > 0 | x > 0 | total = 0.8 + 0.8/3 + 3.5 +- 1e-6
// count sliding = 2
// count exit = 2
model SlidingStart
  Real x(start = 0, fixed = true), u, p;
  discrete Real d(start = 0, fixed = true);
equation
  u = if x > 0 then -1.5 else 1.5;
  p = if time > 6 then 3*(time - 6) else 0;
  der(x) = u + d + p;
  when time > 3 then
    d = 3;
  elsewhen time > 3.4 then
    d = 1;
  elsewhen time > 3.8 then
    d = 0;
  end when;
  annotation(experiment(StopTime = 10));
end SlidingStart;
