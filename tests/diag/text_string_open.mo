model Label
  parameter String name = "pump;
  Real x = time;
end Label;
// expect P002 at 2:27
