model Fall
  constant Real g;
  Real a = g*time;
end Fall;
// expect V002 at 2:17
