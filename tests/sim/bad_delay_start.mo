// The rounds at the start have a limit: MOST_START_ROUNDS.
// An event at the start changes a loop through delay(), which has no past yet and no value that the passes could find.
// expect exit 4
// expect error R607 at 8
// expect message what is delayed depends on itself
model bad_delay_start
  Integer n(start = 0, fixed = true);
  Real c = n - 2*delay(c, 0.5);
equation
  when sample(0, 10) then
    n = pre(n) + 1;
  end when;
end bad_delay_start;
