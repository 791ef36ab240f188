model Table
  function count
    input Integer n;
    output Integer c;
  algorithm
    c := 0;
    while c >= 0 loop
      c := 11 - c;
    end while;
  end count;
  parameter Integer n = count(3);
  Real x[n] = fill(time, n);
end Table;
// expect K002 at 11:25
