model Tank
  parameter Real area = 2;
  Real level(start = 1, fixed = true);
equation
  area*der(level) = -levle;
end Tank;
// expect N001 at 5:22
