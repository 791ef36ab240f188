model Field
  Real x[100000, 100000];
equation
  der(x) = -x;
end Field;
// expect K001 at 2:8
