// Windows that are narrower than a step, with as few rows as there can be: x = sin(30 t) is above 0.99999 for 0.3 ms around
// 30 t = pi/2 + 2 pi k; 24 times up to 5 s, and below -0.999995 for 0.2 ms 24 times (30 t = 3 pi/2 + 2 pi k).
// run: --stop 5 --intervals 1 --rtol 1e-9 --step 1e-3
// solvers: auto rk45 rkf45 rk4 rosenbrock cvode ida
// expect up(5) = floor((150 - asin(0.99999))/(2*pi)) + 1
// expect down(5) = floor((150 - pi - asin(0.999995))/(2*pi)) + 1
// expect events = 2*(24 + 24)
// expect last(5) = (2*pi*23 + asin(0.99999))/30 +- 1e-4
model CrossingNarrow
  Real x(start = 0, fixed = true), v(start = 30, fixed = true);
  Integer up(start = 0, fixed = true), down(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -900*x;
  when x > 0.99999 then
    up = pre(up) + 1;
    last = time;
  end when;
  when x < -0.999995 then
    down = pre(down) + 1;
  end when;
end CrossingNarrow;
