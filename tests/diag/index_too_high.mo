// expect S106 at 8:3
// says: x[13]
model index_too_high "MOST_INDEX: x[1] is differentiated 13 times"
  Real x[14], y[13];
equation
  for i in 1:13 loop der(x[i]) = x[i + 1]; end for;
  for i in 1:12 loop der(y[i]) = y[i + 1]; end for;
  x[1] = time^20;
  y[1] = time^20;
end index_too_high;
