// Values of all types, and more changes than a line shows.
// run: --stop 1
// instants: 0.5
model Values
  type Level = enumeration(low, middle, high);
  Level level;
  String name;
  Boolean flags[12];
  Integer i;
  discrete Real r;
equation
  level = if time < 0.5 then Level.low else Level.high;
  name = if time < 0.5 then "first" else "the \"second\"";
  flags = fill(time >= 0.5, 12);
  when time >= 0.5 then
    i = -3;
    r = 1/3;
  end when;
end Values;
