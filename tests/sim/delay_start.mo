// Before the first delay has passed, delay() is the value at the start, after everything that happens in that instant: events of
// sample(), passes in which pre values follow, and a chain of delays.
// run: --stop 2 --rtol 1e-9 --intervals 20
// solvers: rk45 ida
model delay_start
  Integer n(start = 2, fixed = true), seen(start = 0, fixed = true);
  discrete Real d(start = 1, fixed = true);
  Real c = 3*n, y = delay(c, 0.5), twice = delay(y, 0.25);
  Real moving = delay(c + time, 0.375 + 0.125*sin(time), 1);
  Real damped = 0.5*delay(damped, 0.7) + n;
  Boolean b(start = false, fixed = true);
  Real late = if pre(b) then 5 else 4, held = delay(late, 1);
  Real x(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  b = x > -1;
  der(x) = y;
  der(z) = d;
  when sample(0, 1.25) then
    n = pre(n) + 1;
  end when;
  when delay(time - 3*n, 0.1) > -9.5 and time < 1 then
    d = pre(d) + 1;
  end when;
  when twice > 8 then
    seen = pre(seen) + 1;
  end when;
end delay_start;
// expect y(0) = 9
// expect y(0.2) = 9
// expect twice(0.2) = 9
// expect held(0) = 5
// expect held(2) = 5
// expect damped(0) = 6 +- 1e-9
// expect damped(0.5) = 6 +- 1e-9
// expect damped(1.5) = 7 +- 1e-9
// expect damped(2) = 7.5 +- 1e-9
// expect moving(0.2) = 9 +- 1e-9
// expect moving(1) = 9 + 1 - 0.375 - 0.125*sin(1) +- 1e-7
// expect y(1.7) = 9
// expect y(1.8) = 12
// expect twice(1.9) = 9
// expect x(1.5) = 13.5 +- 1e-7
// expect seen(2) = 1
