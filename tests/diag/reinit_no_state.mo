model Ball
  Real v;
equation
  v = time;
  when time > 1 then
    reinit(v, 3);
  end when;
end Ball;
// expect D404 at 6:5
