model Signal
  Integer end = 3;
  Real x = time;
end Signal;
// expect P014 at 2:11
