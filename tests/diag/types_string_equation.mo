model Label
  Real x;
equation
  x = "full";
end Label;
// expect T301 at 4:3
