// A ball rests on a floor when a mode joins another body to it: of the floor's force nothing says how both share it.
// run: --stop 3
// expect exit 5
// expect error R629 at 19
// expect message in another mode
model ContactLaterHidden
  Real h(start = 0.3, fixed = true), v(start = 0, fixed = true), w(start = 0, fixed = true), pull;
equation
  der(h) = v;
  der(v) = -9.81 - pull;
  if time > 1.4 then
    3*der(w) = pull - 9.81;
    w = v;
  else
    der(w) = 0;
    pull = 0;
  end if;
  /* bounces */
  when h <= 0 then
    reinit(v, -0.4*pre(v));
  end when;
end ContactLaterHidden;
