model Algorithms
  parameter Integer n = 3;
  Real x[n];
  Real largest;
  Integer where;
  discrete Real peak(start = 0, fixed = true);
algorithm
  for i in 1:n loop
    x[i] := sin(i*time);
  end for;
algorithm
  largest := x[1];
  where := 1;
  for i in 2:n loop
    if x[i] > largest then
      largest := x[i];
      where := i;
    end if;
  end for;
  assert(where <= n, "lost");
algorithm
  when largest > 0.5 then
    peak := largest;
  elsewhen largest < 0 then
    peak := 0;
  end when;
end Algorithms;
