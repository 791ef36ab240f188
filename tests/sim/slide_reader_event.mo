// A part with events of its own reads one that slides; so does a delay. At its events, too, it sees the average: before and after a
// sample, and when the jump of the average comes out of the delay. From 0.125 on a quarter of the time is spent above.
// run: --stop 2 --intervals 200
// solvers: rk45 rkf45 rosenbrock cvode ida
// expect rate(0.5-) = 2 +- 1e-7
// expect rate(0.5) = 2 +- 1e-7
// expect tank(2) = 8*0.125 + 2*1.875 +- 1e-5
// expect seen(0.42) = 8 +- 1e-6
// expect seen(0.43) = 2 +- 1e-6
// expect later(2) = 8*(0.3 + 0.125) + 2*(2 - 0.425) +- 1e-5
// expect q(1.4) = 8*0.125 + 2*(1 - 0.125) +- 1e-5
// expect full(1) = 0 +- 0
// expect full(2) = 1 +- 0
// expect mean(1) = 2*(1.75 + 1) +- 1e-4
model SlideReaderEvent
  Real x(start = 0.375, fixed = true), tank(start = 0, fixed = true), later(start = 0, fixed = true);
  Real rate, seen, mean, y(start = 1, fixed = true);
  discrete Real q(start = 0, fixed = true);
  Boolean full(start = false, fixed = true);
equation
  der(x) = if x > 0 then -3 else 1;
  rate = if x > 0 then 8 else 0;
  der(tank) = rate;
  der(y) = -y;
  seen = delay(rate + 0*y, 0.3);
  der(later) = seen;
  when sample(0, 0.5) then
    q = tank;
  end when;
  when tank > 3.5 then
    full = true;
  end when;
  mean = rate*(q + 0) + 0*tank;
end SlideReaderEvent;
