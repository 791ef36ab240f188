model Pulse
  Real d(start = 0), x = time, p, q;
equation
  when time > 1 then
    d = time;
  end when;
  p = impulse(d);
  {q} = impulse({2*x});
end Pulse;
// expect D404 at 7:3
// expect D404 at 8:3
