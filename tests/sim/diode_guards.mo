// Ideal diodes that are on while i >= 0 and off while u <= 0: a current that begins with 0 and grows keeps its diode on. With a
// resistance, each positive half-wave of 10 V through 5 ohm carries 2*10/5/(2*pi) of charge; with a coil and no resistance the current
// is V/(w*L)*(1 - cos(w*t)).
// run: --stop 2 --rtol 1e-8 --intervals 400
// solvers: auto rk45 rosenbrock cvode ida
// expect q(2) = 4*10/5/(2*pi) +- 1e-6
// expect i(0.25) = 2 +- 1e-7
// expect i(0.75) = 0 +- 1e-9
// expect j(0.3) = 7/(2*0.4)*(1 - cos(2*0.3)) +- 1e-6
// expect j(1.1) = 7/(2*0.4)*(1 - cos(2*1.1)) +- 2e-6
model DiodeGuards
  Real u, i, q(start = 0, fixed = true), w, j(start = 0);
  Boolean on(start = false, fixed = true), through(start = false, fixed = true);
equation
  10*sin(2*3.141592653589793*time) = u + 5*i;
  der(q) = i;
  on = if pre(on) then i >= 0 else u > 0;
  if on then
    u = 0;
  else
    i = 0;
  end if;
  7*sin(2*time) = w + 0.4*der(j);
  through = if pre(through) then j >= 0 else w > 0;
  if through then
    w = 0;
  else
    j = 0;
  end if;
end DiodeGuards;
