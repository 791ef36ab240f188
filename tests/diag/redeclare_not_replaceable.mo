model Plant
  model Slow
    Real x = time;
  end Slow;
  model Fast
    Real x = 10*time;
  end Fast;
  model Loop
    Slow plant;
  end Loop;
  Loop control(redeclare Fast plant);
end Plant;
// expect M004 at 11:31
