// Crossings that what follows takes back count for one pass, if that is remembered: a body that breaks loose from friction with a
// peak slides, though its own pull is less than the peak by then: part of it moves the mass. The valve opens because of a pressure that
// is gone when it is open, and counts the second time that the pressure is reached.
// run: --stop 3
// solvers: auto rk45 rosenbrock cvode ida
// expect v(1) = 0
// expect v(3) = 0.5*(9 - 1.875**2) - 1.5*(3 - 1.875) +- 1e-7
// expect stuck(3) = 0
// expect open(0.49) = 0
// expect p(0.6) = 0.3 +- 1e-9
// expect p(2) = 1.7 +- 1e-9
// expect opened(3) = 2
// expect message takes it back
model CrossingTakenBack
  parameter Real m = 2, f0 = 3, peak = 1.25;
  Real v(start = 0, fixed = true), a, s, f;
  Boolean start(start = false, fixed = true), locked, stuck(start = true, fixed = true);
  Boolean open(start = false, fixed = true);
  Integer opened(start = 0, fixed = true);
  Real p;
equation
  m*a = 2*time - f;
  der(v) = a;
  start = pre(stuck) and (s > peak*f0 or pre(start) and s > f0);
  locked = pre(stuck) and not start;
  a = if locked then 0 else s - f0;
  f = if locked then s else f0;
  stuck = locked or v <= 0;
  p = if open then time - 0.3 else time;
  when p > 0.5 then
    open = true;
    opened = pre(opened) + 1;
  end when;
end CrossingTakenBack;
