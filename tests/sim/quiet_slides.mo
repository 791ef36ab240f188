// Dry friction under noEvent: v falls to 0 at (1 - sqrt(0.7))/0.5, stays there until the force is as large as the friction, at 2, and
// goes on. The step under noEvent makes events once the motion has chattered about it, so that it slides.
// run: --stop 5
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect v(0.3) = 0.3 + 0.25*0.3**2 - 0.3 +- 1e-6
// expect v(1) = 0 +- 1e-8
// expect f(1) = 0.5 +- 1e-6
// expect v(5) = 2.25 +- 1e-5
// expect w(5) = 2.25 +- 1e-5
// expect slides = 2
// expect solver_changes = 0
// expect steps <= 3000
// expect no R634
model QuietSlides
  parameter Real c = 1;
  Real v(start = 0.3, fixed = true), w(start = 0.3, fixed = true), f;
equation
  f = noEvent(if v > 0 then c else -c);
  der(v) = 0.5*time - f;
  der(w) = 0.5*time - (if noEvent(w <= 0) then -c else c);
end QuietSlides;
