// A ball comes to rest on a floor that swings, and a relay follows its speed; then the floor is lowered faster than the ball falls:
// the contact ends, and as the ball is faster than the relay, so does the sliding.
// run: --stop 3 --intervals 300
// solvers: rk45 rkf45 rosenbrock cvode ida
// expect h(1.9) = 0.02*sin(5.7) +- 1e-6
// expect v(1.9) = 0.06*cos(5.7) +- 1e-5
// expect r(1.9) = 0.06*cos(5.7) +- 1e-5
// expect h(3) = 0.02*sin(6) + 0.06*cos(6) - 10/2 +- 1e-3
// expect v(3) = 0.06*cos(6) - 10 +- 1e-3
// expect r(3) = 0.06*cos(6) - 4 +- 1e-5
model ContactSlidesFloor
  Real h(start = 0.4, fixed = true), v(start = 0, fixed = true), r(start = 0.2, fixed = true), y, dy;
equation
  y = if time < 2 then 0.02*sin(3*time) else 0.02*sin(6) + 0.06*cos(6)*(time - 2) - 10*(time - 2)^2;
  dy = if time < 2 then 0.06*cos(3*time) else 0.06*cos(6) - 20*(time - 2);
  der(h) = v;
  der(v) = -10;
  when h <= y then
    reinit(v, dy - 0.35*(pre(v) - dy));
  end when;
  der(r) = 4*sign(v - r);
end ContactSlidesFloor;
