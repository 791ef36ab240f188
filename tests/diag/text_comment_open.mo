model Tank
  Real h = time; /* level of the tank
end Tank;
// expect P002 at 2:18
