model Valve
  Real opening;
equation
  opening =
// expect P012 at 4:12
