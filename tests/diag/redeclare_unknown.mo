model Plant
  model Motor
    Real w = time;
  end Motor;
  model Axis
    replaceable Motor drive;
  end Axis;
  Axis axis(redeclare Motor driver);
end Plant;
// expect M001 at 8:29
