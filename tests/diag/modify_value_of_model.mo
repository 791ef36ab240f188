model Plant
  model Tank
    Real h = time;
  end Tank;
  Tank tank = 3;
end Plant;
// expect T301 at 5:15
