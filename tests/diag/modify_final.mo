model Plant
  model Tank
    final parameter Real area = 2;
    Real h = area*time;
  end Tank;
  Tank tank(area = 3);
end Plant;
// expect M002 at 6:13
