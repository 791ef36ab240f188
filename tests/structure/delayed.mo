// The past of one part acts on another.
model Delayed
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -x;
  der(y) = delay(x, 0.5) - y;
end Delayed;
