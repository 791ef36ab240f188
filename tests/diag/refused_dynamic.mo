model Line
  model Bottle
    Real level = time;
  end Bottle;
  dynamic Bottle bottle;
  Real x = time;
end Line;
// expect X001 at 5:18
