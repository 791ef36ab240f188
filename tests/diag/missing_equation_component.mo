package Drives
  model Motor
    Real torque;
    Real speed;
  equation
    torque = 10 - speed;
  end Motor;
  model Train
    Motor motor;
  end Train;
end Drives;
// expect S101 at 4:10
