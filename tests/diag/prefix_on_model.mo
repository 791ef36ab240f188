model Drive
  model Motor
    Real w = time;
  end Motor;
  input Motor motor;
end Drive;
// expect N012 at 5:15
