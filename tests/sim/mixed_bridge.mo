// A bridge of four ideal diodes: parameterised curves, no resistance. While all block, the potentials of the source float: the
// linear system is singular but consistent, and the solution next to the previous one is taken. At the start all modes agree
// with the equations; the one that lasts must be found. Times and voltages from an independent high-precision computation.
// run: --stop 0.1 --rtol 2e-10
// expect uC(0.1) = 183.957185135586 +- 1e-8
// expect t_first_off(0.1) = 0.006858393589 +- 1e-10
// expect u_first_off(0.1) = 183.5584796846 +- 1e-8
// expect t_first_on(0.1) = 0.012665361767 +- 1e-9
// expect u_first_on(0.1) = 163.4315002027 +- 1e-8
// expect state_events = 19
model MixedBridge
  constant Real pi = 3.141592653589793;
  parameter Real R1 = 20, R2 = 500, C = 1e-4;
  Real u0, i0, va, vb, uC(start = 0, fixed = true);
  Real s[4], u[4], i[4];
  Boolean off[4](each start = true);
  discrete Real t_first_off(start = 0, fixed = true), u_first_off(start = 0, fixed = true);
  discrete Real t_first_on(start = 0, fixed = true), u_first_on(start = 0, fixed = true);
equation
  u0 = 220*sin(100*pi*time);
  va - vb = u0 - R1*i0;
  u[1] = va - uC;
  u[2] = vb - uC;
  u[3] = -va;
  u[4] = -vb;
  i0 + i[3] = i[1];
  i[4] = i[2] + i0;
  i[1] + i[2] = C*der(uC) + uC/R2;
  for k in 1:4 loop
    off[k] = s[k] < 0;
    u[k] = if off[k] then s[k] else 0;
    i[k] = if off[k] then 0 else s[k];
  end for;
  when off[1] and pre(t_first_off) < 1e-9 then
    t_first_off = time;
    u_first_off = uC;
  end when;
  when not off[2] and pre(t_first_on) < 1e-9 then
    t_first_on = time;
    u_first_on = uC;
  end when;
end MixedBridge;
