// A function that never ends is told (MOST_RUN_STEPS).
// expect exit 4
// expect error R606 at 11
// expect message a loop does not end
model bad_function_limits
  function endless
    input Real u;
    output Real y = u;
  algorithm
    // y stays as it is
    while y < 1e300 loop
      y := y + 0;
    end while;
  end endless;
  discrete Real y(start = 0, fixed = true);
equation
  when time > 0.5 then
    y = endless(time);
  end when;
end bad_function_limits;
