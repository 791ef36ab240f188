model Free
  Real a;
  Real b;
  Real c;
equation
  c = time;
end Free;
// expect S101 at 2:8
// expect S101 at 3:8
