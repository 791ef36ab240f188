model Gearbox "enumerations: as sizes, subscripts, ranges, in if and when"
  type Gear = enumeration(neutral "no drive", first, second);
  parameter Real ratio[Gear] = {0, 3.5, 2};
  Gear gear(start = Gear.neutral, fixed = true);
  Real w(start = 0, fixed = true);
  Boolean fast = gear == Gear.second;
  Integer number = Integer(gear);
  parameter Real total = sum(ratio[g] for g in Gear);
equation
  when time > 1 then
    gear = Gear.first;
  elsewhen time > 2 then
    gear = Gear.second;
  end when;
  der(w) = if gear == Gear.neutral then -w else (if fast then 2 else 1)*total - w;
end Gearbox;
// expect nothing
