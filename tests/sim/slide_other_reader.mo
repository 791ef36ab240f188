// x slides along x = 0 from t = 0.5 on, with weights 2/3 and 1/3: x' = -2 + 3*w. What other equations switch by the same comparison,
// written the other way round, in an algorithm of their own, or negated, is the average as well: 5*w - 2*(1 - w) for p.
// run: --stop 2
// solvers: auto rk45 rosenbrock cvode ida
// expect p(2) = -2*0.5 + (5*2/3 - 2/3)*1.5 +- 2e-6
// expect q(2) = 4*0.5 + 4/3*1.5 +- 2e-6
// expect r(2) = 0.5 + 1.5/3 +- 2e-6
// expect x(2) = 0 +- 1e-9
model SlideOtherReader
  Real x(start = 1, fixed = true), p(start = 0, fixed = true), q(start = 0, fixed = true), r(start = 0, fixed = true);
equation
  der(x) = if x > 0 then -2 else 1;
  der(p) = if 0 > x then 5 else -2;
  der(q) = if x < 0 then 0 else 4;
  der(r) = if not x < 0 then 1 else 0;
end SlideOtherReader;
