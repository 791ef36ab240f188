model Drive
  Real w = omega*2;
end Drive;
// expect N001 at 2:12
