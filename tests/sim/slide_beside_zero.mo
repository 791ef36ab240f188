// A relay slides though other relations are on their limits: sign(0) of what is 0 for the whole time, in a mode that comes later.
// solvers: rk45 rosenbrock cvode ida
// run: --stop 1.6 --rtol 1e-8
// expect x(0.5) = 0.12 +- 1e-7
// expect x(1.6) = 0.12 +- 1e-7
// expect w(0.9) = 0.25*sin(1.8) +- 1e-6
// expect y(1.6) = 0.7*exp(-0.9*0.9) +- 1e-6
// expect slides = 2
// expect no R609
model slide_beside_zero
  parameter Real none = 0;
  Real still, x(start = -0.43, fixed = true), w(start = 0, fixed = true), y(start = 0.7);
equation
  still = none;
  if not time > 0.7 then
    y = 0.7;
  else
    der(y) = -0.9*y + still*sign(still) + abs(still);
  end if;
  der(x) = (if x > 0.12 then -2.7 else 2.7) + 0.31*cos(4*time);
  der(w) = if w < 0.25*sin(2*time) then 3 else -3; // begins on its surface
end slide_beside_zero;
