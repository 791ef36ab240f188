model OpenLater "three equations, two of which say the same from 0.5 on: u + v + w is 3, u + 2 v - w is 3"
  Real u, v, w, z(start = 0, fixed = true);
  Real s = if time < 0.5 then 2.0 else 1.0;
equation
  u + v + w = 3;
  s*u + v + w = (if time < 0.5 then 5 else 3);
  u + 2*v - w = 3;
  der(z) = u + v + w;
end OpenLater;
// expect error R624 at 6
// expect message at time 0.5
// expect u(0.5-) = 2 +- 1e-9
// expect v(0.5-) = 2/3 +- 1e-9
// expect u(1) = 2 +- 1e-9
// expect v(1) = 2/3 +- 1e-9
// expect w(1) = 1/3 +- 1e-9
// expect z(1) = 3 +- 1e-9
