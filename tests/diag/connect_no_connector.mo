model Net
  Real a = time;
  Real b;
equation
  connect(a, b);
end Net;
// expect C002 at 5:11
