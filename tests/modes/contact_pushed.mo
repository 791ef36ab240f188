// In contact after the bounces, until a force lifts the ball.
// tracks: h <= 0
// track h <= 0 | in contact, h <= 0 | first = 3*sqrt(2/9.81) +- 1e-8
// track h <= 0 | in contact, h <= 0 | total = 4 - 3*sqrt(2/9.81) +- 1e-8
// track h <= 0 | not (h <= 0) | total = 1 + 3*sqrt(2/9.81) +- 1e-8
// count contact = 1
// count exit = 1
model ContactPushed
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Real f = if time > 4 then 20 else 0;
equation
  der(h) = v;
  der(v) = -9.81 + f;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
  annotation(experiment(StopTime = 5));
end ContactPushed;
