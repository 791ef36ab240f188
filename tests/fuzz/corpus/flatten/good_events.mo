model Controller "when, elsewhen, reinit, pre, edge, change, sample, initial, noEvent, smooth, algorithm with when"
  parameter Real period = 0.1;
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Boolean low;
  Boolean alarm(start = false, fixed = true);
  Integer bounces(start = 0, fixed = true);
  Integer samples(start = 0, fixed = true);
  discrete Real held(start = 0, fixed = true);
  Real drag = noEvent(if v > 0 then -0.1*v else 0.1*v);
  Real soft = smooth(1, if h > 0 then h^2 else 0);
  discrete Real last(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81 + drag;
  low = h < 0.1;
  when h <= 0 then
    reinit(v, -0.8*pre(v));
    bounces = pre(bounces) + 1;
  end when;
  when {initial(), sample(0, period)} then
    held = h;
    samples = pre(samples) + 1;
  end when;
  when edge(low) and not pre(alarm) then
    alarm = true;
  elsewhen change(bounces) and pre(bounces) > 3 then
    alarm = false;
  end when;
algorithm
  when low then
    last := time;
  elsewhen not low then
    last := -time;
  end when;
end Controller;
// expect nothing
