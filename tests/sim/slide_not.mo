// What must not slide: a controller with hysteresis, a switch with a clock, and a surface that both fields leave.
// solvers: rk45 rosenbrock
// run: --stop 10
// expect slides = 0
// between 19 and 21: up for 2 s, down for 2 s
// expect switches(10) = 5 +- 0
// expect beats(10) = 9 +- 0
// expect away(1) = -1 +- 1e-9
model SlideNot
  Real T(start = 20, fixed = true), y(start = 0, fixed = true), away(start = 0, fixed = true);
  Boolean heat(start = true, fixed = true);
  discrete Integer switches(start = 0, fixed = true), beats(start = 0, fixed = true);
equation
  heat = T < 19 or (pre(heat) and T < 21);
  der(T) = if heat then 1 else -1;
  when change(heat) then
    switches = pre(switches) + 1;
  end when;
  der(y) = if rem(time, 1) < 0.5 then 1 else -1;
  when rem(time, 1) < 0.5 then
    beats = pre(beats) + 1;
  end when;
  der(away) = if away > 0 then 1 else -1;
end SlideNot;
