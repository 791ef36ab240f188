model Table
  function pick
    input Integer i;
    output Integer n;
  algorithm
    assert(i < 3, "there are only two tables");
    n := 2*i;
  end pick;
  parameter Integer n = pick(4);
  Real x[n] = fill(time, n);
end Table;
// expect T305 at 9:25
