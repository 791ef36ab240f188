// Five balls in one part come to rest one after the other; CONTACT_MOST contacts of a part are held, a fifth is told.
// run: --stop 20 --islands off
// islands: on
// expect exit 5
// expect error R609
// expect message a part can rest on 4 relations at once
model zeno_many
  parameter Real e[5] = {0.3, 0.4, 0.5, 0.6, 0.7};
  Real h[5](each start = 1, each fixed = true), v[5](each start = 0, each fixed = true);
equation
  der(h) = v;
  der(v) = fill(-9.81, 5);
  for k in 1:5 loop
    when h[k] <= 0 then
      reinit(v[k], -e[k]*pre(v[k]));
    end when;
  end for;
end zeno_many;
