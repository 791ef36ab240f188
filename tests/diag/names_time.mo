model Clock
  Real time = 3;
  Real x = 2*time;
end Clock;
// expect N002 at 2:8
