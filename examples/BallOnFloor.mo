// A ball that loses half of its speed at each bounce: infinitely many bounces in 1.35457 s, sqrt(2/g)(1 + e)/(1 - e). The run goes there at once when
// the bounces have become too small to matter, and the ball rests from then on.
// expect h(#15) = 0 +- 1e-9
// expect time(#15) = sqrt(2/9.81)*3 +- 1e-8
// expect v(3) = 0 +- 1e-9
// expect h(3) = 0 +- 1e-9
// track h <= 0 | in contact, h <= 0 | total = 3 - 3*sqrt(2/9.81) +- 1e-8
// expect contacts = 1
model BallOnFloor "Bounces until it rests"
  parameter Real e = 0.5 "part of the speed that is left after a bounce";
  Real h(start = 1, fixed = true) "height";
  Real v(start = 0, fixed = true) "speed";
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime = 3));
end BallOnFloor;
