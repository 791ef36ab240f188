// A loop whose equations switch with the sign of their own unknown: y = (1 - 4x)/3 while x < 1/4, else (1 - 4x)/2.
// run: --stop 3 --rtol 1e-9 --intervals 30
// expect y(0) = 1/3 +- 1e-12
// expect y(0.2) = (1 - 4*sin(0.2))/3 +- 1e-9
// expect y(1) = (1 - 4*sin(1))/2 +- 1e-9
// expect y(3) = (1 - 4*sin(3))/3 +- 1e-9
// expect t_down(3) = asin(0.25) +- 1e-9
// expect state_events = 2
model MixedPiecewiseLoop
  Real x, y, z;
  discrete Real t_down(start = 0, fixed = true);
equation
  x = sin(time);
  x + (if y > 0 then 2*y else y) - z = 0;
  3*x + y - 1 + z = 0;
  when y < 0 then
    t_down = time;
  end when;
end MixedPiecewiseLoop;
