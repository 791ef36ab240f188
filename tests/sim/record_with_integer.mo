// expect p.x(0.5) = 1 +- 1e-6
// expect p.k(0.5) = 3 +- 0
// A function of continuous values gives a record that has an Integer, too; its result must read back.
model RecordWithInteger
  record Pair
    Real x;
    Integer k;
  end Pair;
  function pair
    input Real u;
    input Integer n;
    output Pair p;
  algorithm
    p := Pair(2*u, n + 1);
  end pair;
  Pair p;
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
  p = pair(noEvent(s), 2);
end RecordWithInteger;
