// Fixed values that the first mode contradicts are refused.
// expect exit 3
// expect error I501 at 5
model first_mode_fixed
  Real v1(start = 3, fixed = true), v2(start = 1, fixed = true), F;
equation
  2*der(v1) = -F;
  der(v2) = F;
  if time < 1 then
    v1 = v2;
  else
    F = 0;
  end if;
end first_mode_fixed;
