model Light
  type Color = enumeration(red, amber, green);
  parameter Real duration[Color] = {3, 1, 2};
  Color color(start = Color.red, fixed = true);
  Integer number = Integer(color);
  Boolean time = color >= Color.amber;
  Real total = sum(duration[c] for c in Color)*time;
equation
  when sample(1, 1) then
    color = if pre(color) == Color.green then Color.red else Color(Integer(pre(color)) + 1);
  end when;
end Light;
