model Tank
  parameter Real Area = 2;
  Real level(start = 1, fixed = true);
equation
  area*der(level) = -level;
end Tank;
// expect N001 at 5:3
