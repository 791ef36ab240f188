// sample(start, interval) (MLS 3.6 section 3.7.5): the instants are start + k*interval as these numbers are, also after many periods.
// run: --stop 2000.05 --intervals 10
// expect n(2000.05) = 20000 +- 0
// expect worst(2000.05) = 0 +- 0
// expect last(2000.05) = 0.1 + 19999*0.1 +- 0
// expect state_events = 0
// expect time_events = 20000
model RulesSample
  Integer n(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true), worst(start = 0, fixed = true);
equation
  when sample(0.1, 0.1) then
    last = time;
    worst = max(pre(worst), abs(time - (0.1 + 0.1*pre(n))));
    n = pre(n) + 1;
  end when;
end RulesSample;
