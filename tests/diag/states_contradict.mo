model StatesContradict "two links of different length between two masses"
  parameter Real d = 0.25, e = d + 0.5, k = 1.7;
  Real s1(start = 0, fixed = true), s2, v1(start = 1, fixed = true), v2, f, g;
equation
  der(s1) = v1;
  der(s2) = v2;
  2*der(v1) = f + g + 1;
  3*der(v2) = -f - g;
  s2 = s1 + d;
  k*s2 - k*s1 = k*e;
end StatesContradict;
// expect S108 at 10:3
// says: contradicts others
