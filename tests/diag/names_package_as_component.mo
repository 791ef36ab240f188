package Plant
  package Units
  end Units;
  model Boiler
    Units u;
    Real x = time;
  end Boiler;
end Plant;
// expect N004 at 5:5
