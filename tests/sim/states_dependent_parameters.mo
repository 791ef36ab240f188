model StatesDependentParameters "the same by values of parameters, and by coefficients that vary"
  // the parameters make q = 2 p; s and t are equal for all time
  parameter Real k = 2, m = 3, n = 6;
  Real a(start = 0, fixed = true), b(start = 1, fixed = true);
  Real p(stateSelect = StateSelect.prefer), q(stateSelect = StateSelect.prefer);
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
  Real s(stateSelect = StateSelect.prefer), t(stateSelect = StateSelect.prefer), dp, dq, ds, dt;
equation
  p = k*b - m*a;
  q = 2*k*b - n*a;
  dp = der(p);
  dq = der(q);
  der(a) = 1;
  der(b) = -a;
  s = y*cos(time) - x;
  t = y*cos(time) - x;
  ds = der(s);
  dt = der(t);
  der(x) = x;
  der(y) = -2;
  annotation(experiment(StopTime = 1));
end StatesDependentParameters;
// solvers: rk45 ida rosenbrock
// run: --rtol 1e-8
// expect a(1) = 1 +- 1e-6
// expect b(1) = 0.5 +- 1e-6
// expect p(1) = 2*0.5 - 3 +- 1e-6
// expect q(1) = 4*0.5 - 6 +- 1e-6
// expect x(1) = exp(1) +- 1e-6
// expect y(1) = 0 +- 1e-6
// expect s(1) = -exp(1) +- 1e-6
// expect dt(1) = -2*cos(1) - exp(1) +- 1e-6
