// Two ideal diodes on negative resistances: w = -u - M v with w >= 0, v >= 0, w*v = 0 has no solution for u > 0. The message
// says which relations, with labels for those of the best combination.
// run: --stop 1
// expect exit 4
// expect error R607 at 13
// expect message no values of 2 relations agree with the equations that they switch
model MixedNoSolution
  Real s[2], v[2], w[2], u = time - 0.5;
equation
  w[1] = -u - v[1] + 0.5*v[2];
  w[2] = -u - v[2] + 0.5*v[1];
  for k in 1:2 loop
    v[k] = if s[k] > 0 then s[k] else 0;
    w[k] = if s[k] > 0 then 0 else -s[k];
  end for;
end MixedNoSolution;
