model Unknown
  Real x[:];
equation
  der(x) = -x;
end Unknown;
// expect T307 at 2:8
