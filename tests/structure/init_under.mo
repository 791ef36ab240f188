// Nothing says how it begins: start values are used.
// options: --init
model InitUnder
  Real x(start = 3), y;
equation
  der(x) = -x;
  der(y) = x - y;
end InitUnder;
