// Two parts slide on their own, a third slides and depends on the first, and others multiply what they give: weights multiply.
// u: from 0.1 on, 1/3 above. v: from 0.05 on, 3/4 above. w: on its surface when -1 or 3, plus 0.6 above the surface of u or -0.3
// below, are averaged to 0: 3/4 above from 1/3 on.
// run: --stop 1
// solvers: rk45 rkf45 rosenbrock cvode ida
// expect product(1) = 4/3*1.75 +- 1e-6
// expect area(1) = 2*1*0.05 + 2*1.75*0.05 + 0.9*4/3*1.75 +- 1e-5
// expect corner(1) = (1/3)*(3/4)*5 + (1/3)*(1/4)*4 + (2/3)*(3/4)*3 - (2/3)*(1/4)*2 +- 1e-6
// expect both(1) = (1 + 3*(3/4))*(1/3 + 4*(2/3)) +- 1e-5
// expect w(1) = 0 +- 1e-9
// expect slides = 3
model SlideReaderTwo
  Real u(start = 0.2, fixed = true), v(start = -0.15, fixed = true), w(start = 0.3, fixed = true);
  Real area(start = 0, fixed = true), level(start = 0, fixed = true), product, corner, both;
equation
  der(u) = if u > 0 then -2 else 1;
  der(v) = if v > 0 then -1 else 3;
  der(w) = (if w > 0 then -1 else 3) + (if u > 0 then 0.6 else -0.3);
  product = (if u > 0 then 2 else 1)*(if v > 0 then 2 else 1);
  corner = if u > 0 then (if v > 0 then 5 else 4) else (if v > 0 then 3 else -2);
  both = (if w > 0 then 4 else 1)*(if u > 0 then 1 else 4);
  der(area) = product;
  der(level) = corner + both;
end SlideReaderTwo;
