// Sides that differ by rounding are equal at the start: the order of a sum decides nothing, neither in relations nor in a loop of
// diodes at rest. 0.1 + 0.2 + 0.3 is 0.6000000000000001 from the left and 0.6 from the right.
// run: --stop 1
// solvers: auto rk45 rosenbrock cvode ida
// expect left(1) = 0
// expect right(1) = 0
// expect max(apart) <= 0
// expect first(0) = 0
// expect second(0) = 0
// expect state_events = 0
model RelationEqualAtStart
  Real x[3](start = {0.1, 0.2, 0.3}, each fixed = true);
  Boolean left, right, first(start = true), second(start = true);
  Real apart = if left == right then 0 else 1;
  Real s, r, a, b, v, w;
equation
  der(x) = {0, 0, 0};
  left = x[1] + x[2] + x[3] > 0.6;
  right = x[1] + (x[2] + x[3]) > 0.6;
  // two diodes that carry what the sums differ by
  first = s < 0;
  a = if first then s else 0;
  v = if first then 0 else s;
  a + 0.8*v = x[1] + x[2] + x[3] - 0.6;
  second = r < 0;
  b = if second then r else 0;
  w = if second then 0 else r;
  b + 0.8*w = 0.6 - x[3] - x[2] - x[1];
end RelationEqualAtStart;
