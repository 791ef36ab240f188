model PreferStays "preferred variables that are no sums of states: with a factor 0, with what changes at events, with time, not linear"
  parameter Real k = 0;
  Real x(start = 1, fixed = true), z(start = 2, fixed = true);
  discrete Real offset(start = 0, fixed = true);
  Real nothing(stateSelect = StateSelect.prefer) = k*x;
  Real jumps(stateSelect = StateSelect.prefer) = x - offset;
  Real ahead(stateSelect = StateSelect.prefer) = x - 3*time;
  Real square(stateSelect = StateSelect.prefer) = z^2;
equation
  der(x) = 1;
  der(z) = -z;
  when time > 0.5 then
    offset = 2;
    reinit(x, 5);
  end when;
  annotation(experiment(StopTime = 1));
end PreferStays;
// expect nothing(1) = 0 +- 1e-12
// expect x(1) = 5.5 +- 1e-9
// expect jumps(0.4) = 1.4 +- 1e-9
// expect jumps(1) = 3.5 +- 1e-9
// expect ahead(1) = 2.5 +- 1e-9
// expect square(1) = 4*exp(-2) +- 1e-4
