model Gears
  type Gear = enumeration(neutral, first, second);
  Gear g = Gear.frist;
end Gears;
// expect N001 at 3:17
