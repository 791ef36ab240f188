model Plant
  model Tank
    Real h;
  equation
    h = time;
  end Tank;
  Tank tank(h = 3);
end Plant;
// expect S103 at 5:5
