model Gears
  type Gear = enumeration(neutral, first, second);
  Gear g = 2;
end Gears;
// expect T301 at 3:12
