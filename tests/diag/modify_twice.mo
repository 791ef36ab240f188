model Plant
  model Tank
    parameter Real area = 2;
    Real h = area*time;
  end Tank;
  Tank tank(area = 1, area = 3);
end Plant;
// expect M003 at 6:23
