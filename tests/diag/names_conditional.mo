model Optional
  model Sensor
    Real y = time;
  end Sensor;
  parameter Boolean measure = false;
  Sensor sensor if measure;
  Real x = sensor.y;
end Optional;
// expect N007 at 7:12
