// Two events in quick succession: what a relation of a mixed system does just after the first must not be judged by a moment
// that lies behind the second, where the voltage has fallen.
// run: --stop 2 --rtol 1e-6 --intervals 20
// expect t_free(2) = 1 +- 1e-9
// expect t_fall(2) = 1.00000001 +- 1e-10
// expect i(2) = 0 +- 0
// expect state_events = 2
model EventSoon
  Real x(start = 0, fixed = true), u, v, i, s;
  Boolean off(start = true, fixed = true), fire = x > 10, fallen = x > 1 + 1e-8;
  discrete Real t_free(start = 0, fixed = true), t_fall(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  u = if fallen then x - 11 else x - 1;
  off = s < 0 or pre(off) and not fire;
  v = if off then s else 0;
  i = if off then 0 else s;
  v + 5*i = u;
  when s >= 0 then
    t_free = time;
    n = pre(n) + 1;
  end when;
  when fallen then
    t_fall = time;
  end when;
end EventSoon;
