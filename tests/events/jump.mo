// A jump at 0.2 comes out of the delay at 0.5.
// run: --stop 1
// instants: 0.2, 0.5
model Jump
  Real u, y;
  Integer n(start = 0, fixed = true);
equation
  u = if time >= 0.2 then 1 else 0;
  y = delay(u, 0.3);
  when y > 0.5 then
    n = pre(n) + 1;
  end when;
end Jump;
