model Path
  parameter String file = "C:\data\x.csv";
  Real x = time;
end Path;
// expect P013 at 2:30
// expect P013 at 2:35
