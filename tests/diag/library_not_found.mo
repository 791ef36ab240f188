model Car
  Engines.Diesel engine;
  Real x = time;
end Car;
// expect N001 at 2:3
