// Fixed start values and initial equations that say the same once more.
// options: --init
model InitOver
  Real x(start = 1, fixed = true), y(start = 0);
equation
  der(x) = -x;
  der(y) = x - y;
initial equation
  x + y = 3;
  x - y = -1;
end InitOver;
