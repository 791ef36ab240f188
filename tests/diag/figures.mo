model Figures "figures that say what they cannot mean"
  Real position(start = 1, fixed = true, unit = "m"), speed(unit = "m/s"), a[2];
  String s = "a";
equation
  der(position) = speed;
  speed = -position;
  a = {position, speed};
  annotation(Documentation(figures = {
    Figure(titel = "Decay", identifier = "f", plots = {
      Plot(
        x = Axis(unit = "km"),
        y = Axis(unit = "furlong", scale = Log(base = 2)),
        curves = {Curve(y = position), Curve(x = position, y = positon), Curve(x = a[1], y = speed)})}),
    Figure(title = "%{sped}", identifier = "f", preferred = 1, plots = {
      Plot(curves = {
        Curve(y = 2*position),
        Curve(y = a),
        Curve(y = s),
        Curve(y = der(speed)),
        Curve(x = speed),
        Curve(y = a[2], zOrder = 1.5),
        Curve(time)}),
      Plot(y = Axis(scale = Cubic())),
      Graph()},
      caption = "%(plot:p)")}));
end Figures;
// expect G011 at 9:12
// says: did you mean `title`?
// expect G011 at 12:13
// says: `furlong` cannot be read as a unit
// expect G011 at 12:44
// expect G011 at 13:19
// says: does not fit the curve
// expect G010 at 13:64
// says: did you mean `position`?
// expect G011 at 14:61
// expect G011 at 16:19
// expect G010 at 17:19
// says: name one of its elements
// expect G011 at 18:19
// expect G011 at 19:19
// says: no equation has the derivative of `speed`
// expect G011 at 20:9
// says: a curve needs `y`
// expect G011 at 21:34
// expect G011 at 22:15
// expect G011 at 22:9
// expect G011 at 23:29
// expect G011 at 23:7
// expect G011 at 24:7
// expect G010 at 14:5
// says: did you mean `speed`?
// expect G011 at 14:5
// says: two figures have the identifier `f`
// expect G011 at 14:5
