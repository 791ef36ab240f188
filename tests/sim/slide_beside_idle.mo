// Beside a motion that slides from 0.4 on, a part without states: its relation that does not matter before acos(0.1)/2 changes all the
// same, at pi/8, while the other part does not slide yet. The events of the part come as if it were alone.
// run: --stop 2 --intervals 100
// solvers: rk45 rosenbrock
// expect count(1) = 2 +- 0
// expect y(0.7) = 5 +- 0
// expect y(0.74) = 7 +- 0
// expect y(1.2) = 6 +- 0
// expect y(2) = 7 +- 0
// expect time(#2) = acos(0.1)/2 +- 1e-9
// expect time(#3) = 3*pi/8 +- 1e-9
// expect time(#4) = 5*pi/8 +- 1e-9
// expect x(2) = 0.1 +- 1e-6
// expect events = 4
// expect slides = 1
model SlideBesideIdle
  function counted
    input Real u;
    output Integer n;
  algorithm
    n := if u > 5.5 then 2 else 1;
  end counted;
  Real x(start = 0.9, fixed = true), y;
  Integer count;
equation
  der(x) = if x > 0.1 then -2 else 3;
  if cos(2*time) > 0.1 then
    y = 5;
    count = 3;
  else
    y = if cos(4*time) > 0 then 6 else 7;
    count = counted(y);
  end if;
end SlideBesideIdle;
