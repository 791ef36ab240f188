// Two masses on rods, all Cartesian: four coordinates with two constraints, of which the second contains the coordinates of both.
// It falls from the horizontal and turns over. Energy and both lengths are conserved; the events of a counter are found on the way.
// run: --stop 10 --rtol 1e-9
// expect energy(10) = 0 +- 1e-4
// expect r1(10) = 1 +- 1e-9
// expect r2(10) = 1 +- 1e-9
// expect x1(0) = 1 +- 1e-9
// expect x2(0) = 2 +- 1e-9
// expect y2(0) = 0 +- 1e-9
model DoublePendulum
  parameter Real g = 9.81;
  Real x1(start = 1), y1(start = 0, fixed = true), x2(start = 2), y2(start = 0, fixed = true);
  Real u1, v1(start = 0, fixed = true), u2, v2(start = 0, fixed = true), F1, F2;
  Real energy = (u1^2 + v1^2 + u2^2 + v2^2)/2 + g*(y1 + y2), r1 = sqrt(x1^2 + y1^2), r2 = sqrt((x2 - x1)^2 + (y2 - y1)^2);
  Integer passes(start = 0, fixed = true);
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  der(u1) = -F1*x1 + F2*(x2 - x1);
  der(v1) = -F1*y1 + F2*(y2 - y1) - g;
  der(u2) = -F2*(x2 - x1);
  der(v2) = -F2*(y2 - y1) - g;
  x1^2 + y1^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 1;
  when x1 < 0 then
    passes = pre(passes) + 1;
  end when;
end DoublePendulum;
