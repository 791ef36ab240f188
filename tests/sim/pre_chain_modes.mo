// As pre_chain, beside equations that change with a mode.
// run: --stop 1
// solvers: auto rk45 rosenbrock cvode
// expect v(1) = 0.5 +- 1e-9
// expect w(1) = 0.5 +- 1e-9
// expect u(1) = 0.5 +- 1e-9
// expect state_events = 0
// expect time_events = 2
model PreChainModes
  parameter Integer n = 50;
  Real v(start = 0, fixed = true), w(start = 0, fixed = true), u(start = 0, fixed = true);
  Real a[n + 1], b[2], z(start = 1, fixed = true);
  discrete Real d[n + 1](each start = 0, each fixed = true);
equation
  a[1] = if time > 0.5 then 1 else 0;
  b[1] = a[1];
  b[2] = pre(b[1]);
  when time > 0.5 then
    d[1] = 1;
  end when;
  for i in 1:n loop
    a[i + 1] = pre(a[i]);
    d[i + 1] = pre(d[i]);
  end for;
  der(v) = if a[n + 1] > 0.5 then 0 else 1;
  der(w) = if d[n + 1] > 0.5 then 0 else 1;
  der(u) = if b[2] > 0.5 then 0 else 1;
  if time < 0.7 then
    der(z) = -z;
  else
    z = 0.1 + v;
  end if;
end PreChainModes;
