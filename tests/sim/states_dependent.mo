model StatesDependent "variables that depend on each other, all of which would like to be states"
  // a = 3 t, b = 2 - t; u, v and w are combinations of both, the last one of the first two
  Real a(start = 0, fixed = true), b(start = 2, fixed = true);
  Real u(stateSelect = StateSelect.prefer), v(stateSelect = StateSelect.prefer), w(stateSelect = StateSelect.prefer);
  Real du, dv, dw;
equation
  u = 0.1*a - 0.3*b;
  v = 0.2*a + 0.1*b;
  w = 0.3*a - 0.2*b;
  du = der(u);
  dv = der(v);
  dw = der(w);
  der(a) = 3;
  der(b) = -1;
  annotation(experiment(StopTime = 2));
end StatesDependent;
// solvers: rk45 ida euler
// expect a(2) = 6 +- 1e-9
// expect b(2) = 0 +- 1e-9
// expect u(1) = 0.3 - 0.3 +- 1e-9
// expect v(1) = 0.6 + 0.1 +- 1e-9
// expect w(1) = 0.9 - 0.2 +- 1e-9
// expect dw(1) = 0.9 + 0.2 +- 1e-9
