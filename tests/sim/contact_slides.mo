// What rests after bounces is on surfaces that others slide along: their speeds are those with the contact force, also before the
// bounces would have ended. Several relays follow the speed of a ball, fast ones and slow ones; in an array each follows its own.
// Balls rest from sqrt(2*h0/g)*(1 + e)/(1 - e) on, at 1.35 s at the latest. What is slower than a ball that bounces comes to 0 later.
// run: --stop 3 --intervals 300
// solvers: rk45 rkf45 rosenbrock cvode ida
// expect v(3) = 0 +- 1e-9
// expect r[1](3) = 0 +- 1e-9
// expect r[2](3) = 0 +- 1e-9
// expect r[3](3) = 0 +- 1e-9
// expect max(late) <= 1e-9
// expect min(late) >= -1e-9
// expect pair[1].r(3) = 0 +- 1e-9
// expect pair[2].r(3) = 0 +- 1e-9
// expect both(3) = 0 +- 1e-9
model Follower
  parameter Real height, e, k;
  Real h(start = height, fixed = true), v(start = 0, fixed = true), r(start = 0.15, fixed = true);
equation
  der(h) = v;
  der(v) = -8;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
  der(r) = k*sign(v - r);
end Follower;

model ContactSlides
  Real h(start = 0.45, fixed = true), v(start = 0, fixed = true);
  Real r[3](start = {0.1, -0.2, 0.01}, each fixed = true);
  Real late = if time > 2 then r[1] else 0;
  Follower pair[2](height = {0.3, 0.2}, e = {0.3, 0.45}, k = {25, 4});
  Real both(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
  der(r[1]) = 18*sign(v - r[1]);
  der(r[2]) = 6*sign(v - r[2]);
  der(r[3]) = 0.01*sign(v - r[3]);
  der(both) = 30*sign(pair[1].v + 0.5*pair[2].v - both);
end ContactSlides;
