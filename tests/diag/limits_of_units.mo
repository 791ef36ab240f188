// options: --units
// expect U202 at 6:8
// expect U202 at 8:8
model limits_of_units "MOST_UNIT_EXPONENT, MOST_UNIT_DEPTH"
  Real a(unit = "m99") = 1;
  Real b(unit = "m100") = 1;
  Real c(unit = "((((((((((((((((((((m))))))))))))))))))))") = 1;
  Real d(unit = "(((((((((((((((((((((m)))))))))))))))))))))") = 1;
end limits_of_units;
