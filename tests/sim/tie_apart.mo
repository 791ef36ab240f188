// Two relations that have nothing to do with each other change 3e-13 s apart. Each makes its event: if both changed at one instant,
// `above` would become true again, because its limit is moved to where x is.
model tie_apart
  parameter Real c = 0 "makes them one part";
  Real x(start = 1900, fixed = true);
  Real y(start = 0.5 - 3e6 - 3e-7, fixed = true);
  discrete Real limit(start = 400, fixed = true);
  Boolean above(start = true, fixed = true), up(start = false, fixed = true);
  Integer returns(start = 0, fixed = true);
equation
  der(x) = -500 + c*y;
  der(y) = 1e6 + c*x;
  above = x >= pre(limit);
  up = y > 0.5;
  when change(up) and pre(above) then
    limit = x;
  end when;
  when above then
    returns = pre(returns) + 1;
  end when;
  annotation(experiment(StopTime = 4));
end tie_apart;
// solvers: rk45 rosenbrock cvode ida auto
// expect returns(4) = 0 +- 0
// expect above(4) = 0 +- 0
// expect up(4) = 1 +- 0
// expect limit(4) = 400 +- 1e-6
