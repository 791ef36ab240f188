model Fall
  Real a = g*time;
  constant Real g;
end Fall;

