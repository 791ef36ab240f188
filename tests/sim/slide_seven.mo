// Seven motions that slide in one part are one more than can be decided together: that is told, not only that events accumulate.
// (A time limit keeps the comparison of all kinds of code out: evaluated and with sanitizers it takes more than a minute.)
// run: --stop 1 --islands off --time-limit 600
// islands: on
// expect exit 5
// expect error R609 at 12
// expect message a motion can slide along 6 surfaces at once
model slide_seven
  Real x[7](start = {0.11*k for k in 1:7}, each fixed = true);
equation
  for k in 1:7 loop
    der(x[k]) = (if x[k] > 0.01*k then -1.3 else 1.3) + 0.2*sin(time);
  end for;
end slide_seven;
