// A ball on a floor that begins to move: the force has the floor's acceleration in it, whatever the tolerance (the curvature of
// the surface is no distance from it). It rests from sqrt(2/9.81)*1.3/0.7 on.
// run: --stop 4 --rtol 1e-8
// solvers: rk45 rosenbrock ida
// expect y(4) = 0.05*(1 - cos(4)) +- 1e-6
// expect force(2.8) = 9.81 +- 1e-5
// expect force(4) = 9.81 + 0.8*cos(4) +- 1e-5
// expect impulse(4) = 9.81*(4 - sqrt(2/9.81)*1.3/0.7) + 0.2*sin(4) +- 1e-4
// expect steps <= 2000
// expect pressed(2.9) = 0 +- 0
// expect pressed(3.2) = 1 +- 0
// expect pressed(4) = 0 +- 0
model ContactForceFloor
  Real y(start = 1, fixed = true), v(start = 0, fixed = true), floor, speed, force, impulse(start = 0, fixed = true);
  Boolean pressed;
equation
  floor = if time < 3 then 0 else 0.05*(1 - cos(4*(time - 3)));
  speed = if time < 3 then 0 else 0.2*sin(4*(time - 3));
  der(y) = v;
  der(v) = -9.81;
  when y <= floor then
    reinit(v, speed - 0.3*(pre(v) - speed));
  end when;
  force = der(v) + 9.81;
  der(impulse) = force;
  pressed = force > 10.2;
end ContactForceFloor;
