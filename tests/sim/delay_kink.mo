// An event that changes the slope of what is delayed, and not its value, ends a piece: no polynomial leads over the corner. The
// corner itself makes no event when it comes out.
// run: --stop 2 --rtol 1e-6 --intervals 40
// solvers: rk45 ida
model delay_kink
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), z(start = 0, fixed = true);
  Real y = delay(x, 0.3), w = delay(v, 0.3 + 0.1*z, 1);
  discrete Real slope(start = 3, fixed = true);
equation
  der(x) = slope;
  der(v) = if time > 0.26 then -1 else 2;
  der(z) = 0;
  when time > 0.51 then
    slope = -2;
  end when;
end delay_kink;
// expect y(0.75) = 1.35 +- 1e-9
// expect y(0.8) = 1.5 +- 1e-9
// expect y(0.85) = 1.53 - 2*0.04 +- 1e-9
// expect y(0.9) = 1.53 - 2*0.09 +- 1e-9
// expect y(1.5) = 1.53 - 2*0.69 +- 1e-9
// expect time_events = 2
// expect w(0.5) = 1.4 +- 1e-9
// expect w(0.55) = 1.5 +- 1e-9
// expect w(0.6) = 1.52 - 0.04 +- 1e-9
// expect w(1) = 1.52 - 0.44 +- 1e-9
