// A ball between floor and ceiling of an elevator that goes up and down, with a speed between 10 and -10 m/s. It bounces ever faster on the floor,
// comes to rest there at 22.8873 s and stays, because the floor never falls as fast as the ball would.
// expect time(#1) = 0.039751880380 +- 1e-9
// expect hits(#1) = 1 +- 0
// expect max(y) <= 20
// expect y(60) = 0 +- 1e-6
// expect v(60) = 10 +- 1e-6
// expect v(81) = -10 +- 1e-6
// expect contacts = 1
model BallInElevator "Until it rests on the floor"
  parameter Real k = 0.95 "part of the relative speed that is left after a bounce";
  parameter Real g = 9.807, height = 2.5;
  Real y(unit = "m", start = 0.4, fixed = true), v(unit = "m/s", start = 0, fixed = true) "ball";
  Real s(unit = "m", start = 0, fixed = true), w(unit = "m/s", start = 10, fixed = true) "floor";
  Real above(unit = "m") = y - s "ball over floor";
  discrete Real a(start = -20/3, fixed = true) "acceleration of the floor";
  discrete Integer hits(start = 0, fixed = true);
equation
  der(y) = v;
  der(v) = -g;
  der(s) = w;
  der(w) = a;
  when sample(3, 3) then
    a = -pre(a);
  end when;
  when {y <= s, y >= s + height} then
    reinit(v, w + k*(w - pre(v)));
    hits = pre(hits) + 1;
  end when;
  annotation(experiment(StopTime = 100), Documentation(figures = {
    Figure(title = "Ball in an elevator", identifier = "positions", plots = {
      Plot(y = Axis(label = "position"), curves = {
        Curve(y = y, legend = "ball"), Curve(y = s, legend = "floor of the elevator"), Curve(y = above, legend = "ball above the floor")})}),
    Figure(title = "Ball in an elevator", identifier = "speeds", plots = {
      Plot(y = Axis(label = "speed"), curves = {Curve(y = v, legend = "ball"), Curve(y = w, legend = "elevator")})})}));
end BallInElevator;
