model Mixed
  Real x = if time > 1 then 2 else "two";
end Mixed;
// expect T301 at 2:12
