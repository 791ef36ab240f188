model Loop
  extends Loop;
  Real x = time;
end Loop;
// expect N003 at 2:11
