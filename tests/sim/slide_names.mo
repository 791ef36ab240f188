// A Boolean, an Integer or an enumeration that only names relations slides like them; one with a memory does not.
// run: --stop 3 --intervals 300
// solvers: rk45 cvode ida rosenbrock
// v = 0.8 - 0.4 t until 2, then 0
// expect v(1) = 0.4 +- 1e-7
// expect v(3) = 0 +- 1e-7
// names of names: x falls to 0.25 at 1.5 and follows the threshold 0.25 + 0.1 (t - 1.5) then
// expect x(1) = 0.5 +- 1e-7
// expect x(3) = 0.4 +- 1e-6
// an Integer that selects, and an enumeration: the mean rate of y is 0 on its surface, that of m -0.1
// expect y(3) = 0 +- 1e-7
// expect m(3) = 0.2 +- 1e-6
// average output of the selected rates while y slides: weight of rate 3 is 1/4
// expect r(3) = 0 +- 1e-7
// hysteresis is a memory: 1 -> 0.5 in 0.5 s, up and down between 0.5 and 1 from there on
// expect h(0.5) = 0.5 +- 1e-6
// expect h(1) = 1 +- 1e-6
// expect h(2.75) = 0.75 +- 1e-6
// expect slides = 4
model SlideNames
  type Level = enumeration(low, high);
  Real v(start = 0.8, fixed = true), x(start = 1, fixed = true), y(start = 0.3, fixed = true), m(start = 0.5, fixed = true);
  Real h(start = 1, fixed = true), r, threshold = if time < 1.5 then 0.25 else 0.25 + 0.1*(time - 1.5);
  Boolean positive = v > 0, above = x > threshold, below = not above, sinks = above and not (below or on), on = time < -1;
  Integer k = if y > 0 then 1 else 2;
  Level level = if m > 0.5 - 0.1*time then Level.high else Level.low;
  parameter Real rates[2] = {-3, 1};
  Boolean down(start = true, fixed = true);
equation
  der(v) = if positive then -0.4 else 0.9;
  der(x) = if sinks then -0.5 else 2;
  r = rates[k];
  der(y) = r;
  der(m) = if level == Level.high then -0.7 else 0.2;
  down = h > 1 or (pre(down) and h > 0.5);
  der(h) = if down then -1 else 1;
end SlideNames;
