// Seven motions that slide in one part are one more than can be decided together: that is told, not only that events accumulate.
// run: --stop 1 --islands off
// islands: on
// expect exit 5
// expect error R609
// expect message a motion can slide along 6 surfaces at once
model slide_seven
  Real x[7](start = {0.11*k for k in 1:7}, each fixed = true);
equation
  for k in 1:7 loop
    der(x[k]) = (if x[k] > 0.01*k then -1.3 else 1.3) + 0.2*sin(time);
  end for;
end slide_seven;
