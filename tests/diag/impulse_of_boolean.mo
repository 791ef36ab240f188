model Pulse
  Boolean b = time > 1;
  discrete Real d(start = 0);
  Real p = impulse(b);
  Real q = impulse(d);
  function f
    input Real x;
    output Real y = impulse(x);
  end f;
  Real r = f(time);
equation
  when b then
    d = time;
  end when;
end Pulse;
// expect D404 at 4:12
// expect D404 at 5:12
// expect D404 at 8:21
