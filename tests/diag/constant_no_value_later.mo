model Fall "the use stands before the declaration"
  Real a = g*time;
  constant Real g;
end Fall;
// expect V002 at 3:17
