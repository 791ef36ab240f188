// An algorithm that assigns nothing runs for its assertions.
// expect exit 4
// expect error R605 at 11
// expect message x is too large
// expect x(0.5) = 0.5 +- 1e-9
// expect max(x) <= 0.6
model AlgorithmAssert
  Real x(start = 0, fixed = true);
algorithm
  if x > 0.2 then
    assert(x < 0.6, "x is too large");
  end if;
equation
  der(x) = 1;
end AlgorithmAssert;
