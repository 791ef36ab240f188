model Uses
  import Plant.Pumps;
  Real x = time;
end Uses;
// expect N006 at 2:10
