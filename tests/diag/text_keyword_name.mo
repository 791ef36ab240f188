model Signal
  Real input = time;
end Signal;
// expect P014 at 2:8
