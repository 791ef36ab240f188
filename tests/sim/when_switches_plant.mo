// Whens whose conditions depend on equations that the assigned variables switch: mixed systems, in every form.
// solvers: rk45 ida
// expect heater.m(0.4) = 1 +- 0
// expect heater.m(1) = 3 +- 0
// expect heater.v(1) = 2.2 +- 1e-9
// expect k(1) = 3 +- 0
// expect n(1) = 2 +- 0
// expect v(0.25) = 0.25 +- 1e-9
// expect v(1) = 2 +- 1e-9
// expect u(1) = 8 +- 1e-9
// expect step(1) = 2 +- 0
// expect w(0.6) = 1.8 +- 1e-9
// expect kept(1) = 0 +- 0
// expect held(1) = 0.38 +- 1e-9
// expect s(1) = 2*1.12 - 1 +- 1e-6
// expect z(1) = 2*1.12 +- 1e-6
// expect lamp[1].on(0.25) = 0 +- 0
// expect lamp[1].on(0.3) = 1 +- 0
// expect lamp[2].v(0.6) = 0.6 +- 1e-9
// expect lamp[2].v(0.75) = 2.75 +- 1e-9
// expect late(1) = 3 +- 0
// expect latev(0.7) = 2.8 +- 1e-9
// expect latev(1) = 6 +- 1e-9
// expect time(#1) = 0.12 +- 1e-8
// expect time(#2) = 0.27 +- 1e-8
// expect structures = 2
model Lamp
  parameter Real level = 0.27;
  Boolean on(start = false, fixed = true);
  Real v;
equation
  v = time + (if on then 2 else 0);
  when v > level then
    on = true;
  end when;
end Lamp;
model Heater "an enumeration; the second level is passed because of the first one"
  type Mode = enumeration(Off, Half, Full);
  Mode m(start = Mode.Off, fixed = true);
  Real v, gain[Mode] = {1, 1.6, 2.2};
equation
  v = time*gain[m];
  when v > 0.7 then
    m = Mode.Full;
  elsewhen v > 0.45 then
    m = Mode.Half;
  end when;
end Heater;
model when_switches_plant
  Heater heater;
  Lamp lamp[2](level = {0.27, 0.65});
  Integer k(start = 0, fixed = true), n(start = 0, fixed = true), step(start = 0, fixed = true), late(start = 1, fixed = true);
  Real x(start = 0, fixed = true), v, u, w, held, latev, q(start = 0, fixed = true);
  Boolean kept(start = false, fixed = true);
  discrete Real s(start = 0, fixed = true);
  Real z;
equation
  der(x) = 1;
  // two clauses, each of which switches what the other one looks at
  v = x + 0.5*n;
  u = v*(1 + k);
  when v > 0.4 then
    k = pre(k) + 3;
  end when;
  when u > 1.5 then
    n = pre(n) + 2;
  end when;
  // the branch that fires makes the one before it fire
  w = x + 0.6*step;
  when w > 1 then
    step = 2;
  elsewhen w > 0.5 then
    step = 1;
  end when;
  // there are two solutions from 0.55 on: the one that comes from the values before is kept
  held = (if time > 0.55 then 0.38 else 0.2) + (if kept then 1 else 0);
  when held > 0.5 then
    kept = true;
  end when;
  // a discrete Real that is solved for together with the plant, at z = 2*(x + 0.5) or x + s
  z = x + s;
  when x > 0.12 then
    s = 0.5*z + 0.5*x + 0.5;
  end when;
  // in a mode that comes later
  if time < 0.3 then
    der(q) = 1;
    latev = 0;
  else
    q = 4*x;
    latev = 2*x*late;
  end if;
  when latev > 3 then
    late = 3;
  elsewhen latev > 1 then
    late = 2;
  end when;
end when_switches_plant;
