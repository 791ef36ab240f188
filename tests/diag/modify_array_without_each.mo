model Plant
  model Tank
    parameter Real area = 1;
    Real h = area*time;
  end Tank;
  Tank tank[3](area = 2);
end Plant;
// expect T302 at 6:23
