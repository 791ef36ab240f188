// Nothing is told where each variable has an equation or a start value when the run begins, and where a later mode leaves one out.
// expect no R632
// expect y(1) = 0.5 +- 1e-6
// expect z(1) = 7 +- 0
model ModeWithValue
  Real y, z(start = 7);
equation
  if time < 0.5 then
    y = time;
  end if;
  if time > 2 then
    z = 1;
  end if;
end ModeWithValue;
