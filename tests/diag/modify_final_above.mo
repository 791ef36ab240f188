model Plant
  model Tank
    parameter Real area = 2;
    Real h = area*time;
  end Tank;
  model Standard
    Tank tank(final area = 1);
  end Standard;
  Standard s(tank(area = 3));
end Plant;
// expect M002 at 9:19
