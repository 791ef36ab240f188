model BouncingBall "A ball falls, bounces off the floor and loses speed at each impact"
  parameter Real g(unit = "m/s2") = 9.81 "Acceleration of gravity";
  parameter Real e(unit = "1", min = 0, max = 1) = 0.8 "Speed after an impact over speed before it";
  Real h(unit = "m", start = 1, fixed = true) "Height above the floor";
  Real v(unit = "m/s", start = 0, fixed = true) "Speed upwards";
  Integer bounces(start = 0, fixed = true) "Impacts so far";
equation
  // between impacts: free fall
  der(h) = v;
  der(v) = -g;

  // at the instant when the floor is reached the speed jumps
  when h <= 0 then
    reinit(v, -e*pre(v));
    bounces = pre(bounces) + 1;
  end when;

  // The impacts accumulate at t = sqrt(2/g)*(1 + e)/(1 - e) = 4.06 s; the experiment stops before.
  annotation(experiment(StartTime = 0, StopTime = 3, Tolerance = 1e-6, Interval = 0.01));
end BouncingBall;
