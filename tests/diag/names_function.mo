model Root
  Real x = sqr(time);
end Root;
// expect N001 at 2:12
