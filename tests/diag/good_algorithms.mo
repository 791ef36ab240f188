model Sorter "algorithms: loops, while, break, if, array assignment, several statements for one variable"
  parameter Integer n = 5;
  Real x[n];
  Real total;
  Integer firstPositive;
protected
  Real swap;
algorithm
  swap := 0;
  for i in 1:n loop
    x[i] := sin(i*time);
  end for;
  for i in 1:n - 1, j in 1:n - 1 loop
    if x[j] > x[j + 1] then
      swap := x[j];
      x[j] := x[j + 1];
      x[j + 1] := swap;
    end if;
  end for;
  total := 0;
  firstPositive := 0;
  for i in n:-1:1 loop
    total := total + x[i];
    if x[i] > 0 then
      firstPositive := i;
    end if;
  end for;
  if total > 1 then
    total := 1;
  elseif total < -1 then
    total := -1;
  end if;
end Sorter;
// expect nothing
