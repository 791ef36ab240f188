// Two masses that a spring couples, and a third one that it does not.
model Pair
  Real x1(start = 1, fixed = true), v1(start = 0, fixed = true), x2(start = 0, fixed = true), v2(start = 0, fixed = true);
  Real x3(start = 1, fixed = true), v3(start = 0, fixed = true);
  Real f = x1 - x2;
equation
  der(x1) = v1;
  der(v1) = -f;
  der(x2) = v2;
  der(v2) = f;
  der(x3) = v3;
  der(v3) = -4*x3;
end Pair;
