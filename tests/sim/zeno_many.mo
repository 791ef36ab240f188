// Nine balls in one part come to rest one after the other; CONTACT_MOST contacts of a part are held, a ninth is told.
// run: --stop 20 --islands off
// islands: on
// expect exit 5
// expect error R609
// expect message a part can rest on 8 relations at once
model zeno_many
  parameter Real e[9] = {0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7};
  Real h[9](each start = 1, each fixed = true), v[9](each start = 0, each fixed = true);
equation
  der(h) = v;
  der(v) = fill(-9.81, 9);
  for k in 1:9 loop
    when h[k] <= 0 then
      reinit(v[k], -e[k]*pre(v[k]));
    end when;
  end for;
end zeno_many;
