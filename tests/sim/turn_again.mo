// A ball is put on the ground, exactly, while it falls, and bounces in the same instant: h goes down, then up. Relations that compare h
// with 0, among them those of rem(), follow the last direction, not the first one.
// run: --stop 1
// solvers: auto rk45 rosenbrock cvode ida
// expect v(1) = 1 +- 0
// expect h(1) = 0.75 +- 1e-9
// expect y(0.5) = 0.25 +- 1e-9
// expect y(1) = 0.75 - 0.63 +- 1e-9
model TurnAgain
  parameter Real ground = 0;
  Real h(start = 0.5, fixed = true), v(start = -1, fixed = true), y;
equation
  der(h) = v;
  der(v) = 0;
  when h < 0 then
    reinit(v, 1);
  end when;
  when sample(0.25, 10) then
    reinit(h, ground);
  end when;
  y = rem(h, 0.63);
end TurnAgain;
