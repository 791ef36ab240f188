model Plant
  model Tank
    parameter Real area = 1;
    Real h = area*time;
  end Tank;
  Tank tank(each area = 2);
end Plant;
// expect M007 at 6:18
