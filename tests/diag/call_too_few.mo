model Angle
  Real phi = atan2(time);
end Angle;
// expect T304 at 2:14
