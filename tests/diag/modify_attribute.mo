model Ball
  Real h(strat = 1, fixed = true);
equation
  der(h) = -1;
end Ball;
// expect M001 at 2:10
