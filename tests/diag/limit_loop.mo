model Grid
  Real x;
equation
  x = time;
  for i in 1:3000, j in 1:3000 loop
    assert(x + i + j > 0, "negative");
  end for;
end Grid;
// expect K001 at 5:3
