model Plant
  partial model Actuator
    Real position;
  end Actuator;
  model Motor
    extends Actuator;
  equation
    position = time;
  end Motor;
  model Lamp
    Real light = time;
  end Lamp;
  model Axis
    replaceable Motor drive constrainedby Actuator;
  end Axis;
  Axis axis(redeclare Lamp drive);
end Plant;
// expect M005 at 16:28
