model Wheel
  model Body
    Real speed = time;
  end Body;
  Body body;
  Real v = body.sped;
end Wheel;
// expect N001 at 6:17
