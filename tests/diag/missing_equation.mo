model Drive
  parameter Real J = 2;
  Real w(start = 0, fixed = true);
  Real tau;
equation
  J*der(w) = tau;
end Drive;
// expect S101 at 4:8
