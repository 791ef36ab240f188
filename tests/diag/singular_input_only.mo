model InputEquation
  input Real u;
  Real x(start = 0, fixed = true);
  Real y;
equation
  der(x) = -x;
  u = 3;
end InputEquation;
// expect S101 at 4:8
// expect S103 at 7:3
// says: determines no unknown
