// Functions have as many steps at the start, and where relations are computed, as in a step (MOST_RUN_STEPS): 2,000,000 rounds end.
// expect x(1) = 2000000 +- 1e-6
// expect q(1) = 2000000 +- 1e-6
// expect y(1) = 1 +- 1e-9
model function_long_at_start
  function count
    input Integer n;
    output Real y = 0;
  algorithm
    for k in 1:n loop
      y := y + 1;
    end for;
  end count;
  parameter Integer n = 2000000;
  parameter Real p(fixed = false);
  Real x(start = count(n), fixed = true), y, q = p + 0*time;
initial equation
  p = count(n);
equation
  der(x) = 0;
  y = if count(n) + x > time then 1 else 2;
  annotation(experiment(StopTime = 1, Interval = 0.5));
end function_long_at_start;
