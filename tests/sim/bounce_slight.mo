// Bounces that are slight from the first one on: the next excursion lies inside of the band, so that nothing tells it from the floor, which
// moves. The ball stays on the floor, is thrown off where this slows down faster than it falls, and comes back.
// run: --stop 1.6 --rtol 1e-8
// solvers: rk45 rosenbrock
// expect min(gap) >= -1e-6
// expect gap(0.6) = 0 +- 1e-5
// expect gap(1.6) = 0 +- 1e-4
// expect a.gap(1.6) = 0 +- 1e-6
// expect b.gap(1.6) = 0 +- 1e-6
model BounceSlight
  model Ball "above a floor that rises"
    parameter Real e, rise;
    Real h(start = 0.3, fixed = true), v(start = 0, fixed = true), gap = h - rise*time;
  equation
    der(h) = v;
    der(v) = -7;
    when h <= rise*time then reinit(v, rise - e*(pre(v) - rise)); end when;
  end Ball;
  Ball a(e = 3e-4, rise = 0.15), b(e = 2e-7, rise = 0.4);
  Real h(start = 0.2, fixed = true), v(start = 0, fixed = true), y = 0.05*sin(3*time), w = 0.15*cos(3*time), gap = h - y;
equation
  der(h) = v;
  der(v) = -9;
  when h <= y then reinit(v, w - 1e-3*(pre(v) - w)); end when;
end BounceSlight;
