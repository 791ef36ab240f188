model Ball "without --units nobody looks"
  Real h(unit = "m") = time;
  Real v(unit = "m/s") = h;
end Ball;
// expect nothing
