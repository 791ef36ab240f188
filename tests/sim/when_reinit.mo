// MLS 3.6 section 8.3.6: reinit takes effect at the end of the pass; its value is computed before. Two states change places.
// run: --stop 2 --intervals 4
// expect x(1-) = 1 +- 1e-9
// expect x(2) = 10 + 1 +- 1e-9
// expect y(2) = 1 + 2 +- 1e-9
// expect seen(2) = 1 +- 1e-9
model WhenReinit
  Real x(start = 0, fixed = true), y(start = 8, fixed = true), seen(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = 2;
  when time >= 1 then
    reinit(x, y);
    reinit(y, x);
    seen = x;
  end when;
end WhenReinit;
