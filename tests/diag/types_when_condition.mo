model Trigger
  Real u = time;
  discrete Real y(start = 0, fixed = true);
equation
  when u then
    y = 1;
  end when;
end Trigger;
// expect T301 at 5:8
