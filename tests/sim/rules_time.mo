// Time events are exact (MLS 3.6 sections 8.5 and 3.7.5): relations of time, sample() at start + k*interval, never summed up.
// run: --start -1 --stop 100.5 --intervals 203
// solvers: rk45 cvode ida rosenbrock euler
// section 8.5: relations of time with parameters are time events, met exactly
// expect at_parameter(100) = 0.7 +- 2e-16
// expect at_scaled(100) = 1/3 +- 1e-16
// section 3.7.5: sample with start before the start time goes on from the next multiple: -1.05 + k*0.1 >= -1
// expect first_before(100) = -0.95 +- 1e-15
// expect count_before(100.5) = 1015 +- 0
// section 3.7.5: the last of many periods is start + k*interval as it stands
// expect last_many(100) = 100 +- 2e-14
// expect count_many(100) = 1001 +- 0
// section 3.7.5: sample whose start is the start time fires there, after the initialisation
// expect at_start(-1) = 1 +- 0
// expect at_start(100) = 102 +- 0
// section 3.7.5: sample is true in the first pass only
// expect passes(100) = 1001 +- 0
// instants that differ by rounding only are one: both samples at every second one
// expect together(100) = 500 +- 0
// expect state_events = 0
model RulesTime
  parameter Real t0 = 0.7;
  Real x(start = 0, fixed = true);
  discrete Real at_parameter(start = 0, fixed = true), at_scaled(start = 0, fixed = true), first_before(start = 0, fixed = true), last_many(start = 0, fixed = true);
  Integer count_before(start = 0, fixed = true), count_many(start = 0, fixed = true), at_start(start = 0, fixed = true);
  Integer passes(start = 0, fixed = true), together(start = 0, fixed = true);
  Boolean tick = sample(0, 0.1), tock = sample(0.2, 0.2);
equation
  der(x) = 1;
  when time >= t0 then
    at_parameter = time;
  end when;
  when 3*time >= 1 then
    at_scaled = time;
  end when;
  when sample(-1.05, 0.1) then
    first_before = if pre(count_before) == 0 then time else pre(first_before);
    count_before = pre(count_before) + 1;
  end when;
  when sample(0, 0.1) then
    last_many = time;
    count_many = pre(count_many) + 1;
  end when;
  when sample(-1, 1) then
    at_start = pre(at_start) + 1;
  end when;
  passes = pre(passes) + (if tick then 1 else 0);
  together = pre(together) + (if tick and tock then 1 else 0);
end RulesTime;
