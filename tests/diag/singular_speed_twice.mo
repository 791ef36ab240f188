model SpeedTwice
  Real phi(start = 0, fixed = true), w, tau;
equation
  der(phi) = w;
  w = 10;
  phi = sin(time);
  tau = 2*w;
end SpeedTwice;
// expect S103 at 6:3
// says: `phi` and `w`
