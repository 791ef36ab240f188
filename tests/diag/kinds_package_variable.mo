package Plant
  Real level = 1;
  model Tank
    Real h = time;
  end Tank;
end Plant;
// expect N010 at 2:8
