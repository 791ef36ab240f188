// A sum of Integers that does not fit ends the run where it is written; the values before are right.
// expect exit 4
// expect error R626 at 12
// expect n(0.5) = 9223372036854775807 - 7 +- 0
model bad_integer_overflow
  Integer n(start = 1, fixed = true), m;
equation
  when time > 0.4 then
    n = 9223372036854775800;
  end when;
  // 9223372036854775805 still fits, 9223372036854775808 does not
  m = n + (if time > 0.7 then 8 else 5);
end bad_integer_overflow;
