// Windows in a mode that comes later, with other equations. x runs at the speed 1 until 1, is bound to 3 y from there on to 2, where y runs at
// the speed 2 all the time, and runs on at the speed 0.5: x = t; 3*2*t; 12 + 0.5 (t - 2), with a jump at 1.
// cos(80 x) > 0.9999 around 80 x = 2 pi k; counted in each mode; steps are as long as the mode.
// run: --stop 3 --intervals 1 --rtol 1e-8
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect n[1](3) = floor(80/(2*pi))
// expect n[2](3) = floor(80*12/(2*pi)) - floor(80*6/(2*pi))
// expect n[3](3) = floor(80*12.5/(2*pi)) - floor(80*12/(2*pi))
model CrossingMode
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Integer mode(start = 1, fixed = true), n[3](each start = 0, each fixed = true);
  Boolean bound(start = false, fixed = true);
equation
  der(y) = 2;
  bound = time >= 1 and time < 2;
  if bound then
    x = 3*y;
  else
    der(x) = if time < 1 then 1 else 0.5;
  end if;
  when {time >= 1, time >= 2} then
    mode = pre(mode) + 1;
  end when;
  for k in 1:3 loop
    when pre(mode) == k and cos(80*x) > 0.9999 then
      n[k] = pre(n[k]) + 1;
    end when;
  end for;
end CrossingMode;
