model PreferSum "sums that shall be states, through other variables, in an array, and two that say the same"
  Real x[2](start = {1, 2}, each fixed = true), y[2](each start = 3, each fixed = true);
  Real between[2] = x + y;
  Real e[2](each stateSelect = StateSelect.always) = 2*between;
  Real a(start = 1, fixed = true), b(start = 4, fixed = true);
  Real r1(stateSelect = StateSelect.prefer) = b - a, r2(stateSelect = StateSelect.prefer) = a - b + 1;
equation
  der(x) = {-1, 1};
  der(y) = {2, 0};
  der(a) = 1;
  der(b) = 1;
  when time > 1 then
    reinit(x[2], 10);
    reinit(b, 0);
  end when;
  annotation(experiment(StopTime = 2));
end PreferSum;
// expect error R625 at 13
// expect e[2](2) = 2*(2 + 3 + 2) +- 1e-8
// expect x[2](2) = 11 +- 1e-8
// expect y[2](2) = 7 - 11 +- 1e-8
// expect x[1](2) = -1 +- 1e-8
// expect y[1](2) = 7 +- 1e-8
// expect b(2) = 1 +- 1e-8
// expect a(2) = 1 - 3 +- 1e-8
// expect r1(2) = 3 +- 1e-8
// expect r2(2) = -2 +- 1e-8
