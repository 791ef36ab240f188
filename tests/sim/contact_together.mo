// Two equal balls that bounce at the same instants, also in one part: each contact holds its own ball. The floor of the first one
// drops away at 3, the other one stays.
// run: --stop 4
// solvers: auto rk45
// expect h[1](4) = -9.81/2 +- 1e-5
// expect h[2](4) = 0 +- 1e-8
// expect f[1](4) = 0 +- 1e-6
// expect f[2](4) = 9.81 +- 1e-6
// expect contacts = 2
model ContactTogether
  Real h[2](each start = 1, each fixed = true), v[2](each start = 0, each fixed = true), f[2], floor;
equation
  floor = if time < 3 then 0 else -10*(time - 3)^2;
  f = der(v) + fill(9.81, 2);
  for i in 1:2 loop
    der(h[i]) = v[i];
    der(v[i]) = -9.81;
  end for;
  when h[1] <= floor then
    reinit(v[1], -0.4*pre(v[1]));
  end when;
  when h[2] <= 0 then
    reinit(v[2], -0.4*pre(v[2]));
  end when;
end ContactTogether;
