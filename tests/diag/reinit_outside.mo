model Ball
  Real v(start = 1, fixed = true);
equation
  der(v) = -9.81;
  reinit(v, 3);
end Ball;
// expect D404 at 5:3
