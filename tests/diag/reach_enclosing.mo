model Plant
  parameter Real area = 2;
  model Tank
    Real h = area*time;
  end Tank;
  Tank tank;
end Plant;
// expect N013 at 4:14
