// Two diodes that conduct in turns. Every half period of the source all voltages and currents are 0, and a sampler looks exactly
// there: each zero is one state event, not several (the parameter of a curve is volts on one branch, amperes on the other).
// The first one may be two, as nothing is known of the other branch before.
// run: --stop 6.25 --rtol 1e-6
// solvers: rk45 rosenbrock cvode
// expect state_events <= 13
// expect state_events >= 12
// expect time_events = 12
// expect q(6.25) = 40/(20*2*pi) +- 1e-6
model CommonZero
  constant Real pi = 3.141592653589793;
  Real e = 40*sin(2*pi*time), u[2], i[2], s[2], q(start = 0, fixed = true);
  Boolean off[2](each start = true);
equation
  for k in 1:2 loop
    off[k] = s[k] < 0;
    u[k] = s[k]*(if off[k] then 1 else 1e-5);
    i[k] = s[k]*(if off[k] then 1e-5 else 1);
  end for;
  e = u[1] + 20*(i[1] - i[2]);
  u[2] = -u[1];
  der(q) = i[1] - i[2];
  when sample(0.5, 0.5) then
    reinit(q, 0);
  end when;
end CommonZero;
