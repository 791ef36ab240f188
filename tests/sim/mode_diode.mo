// A capacitor is discharged by a current, and an ideal diode, given by its parameterised curve, keeps it from going below 0: while the diode
// conducts the voltage is bound, and the current through the diode is what the sink wants (Otter, Elmqvist, Mattsson 1999, section 4).
// It opens where 1 + 3*sin(5*t) falls through 0: 5*t = pi + asin(1/3).
// run: --stop 1.2 --intervals 120 --rtol 1e-9
// solvers: auto rk45 rosenbrock cvode ida
// expect u(0.1) = 1 - 0.1 - 0.6*(1 - cos(0.5)) +- 1e-7
// expect u(0.5) = 0 +- 1e-12
// expect i(0.5) = 1 + 3*sin(2.5) +- 1e-7
// expect opened(1) = 0.6962858 +- 1e-6
// expect i(1) = 0 +- 1e-12
// expect count(1.2) = 2
model ModeDiode
  Real u(start = 1, fixed = true), i, v, s;
  Boolean off(start = true);
  discrete Real opened(start = 0);
  Integer count(start = 0, fixed = true);
equation
  der(u) = i - (1 + 3*sin(5*time));
  v = -u;
  v = if off then s else 0;
  i = if off then 0 else s;
  off = s < 0;
  when off then
    opened = time;
  end when;
  when {off, not off} then
    count = pre(count) + 1;
  end when;
end ModeDiode;
