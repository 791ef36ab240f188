model NoState
  Real x, y;
  Boolean c = time > 0.5;
equation
  if c then x = 1; y = x; else x + y = 3; x - y = time; end if;
end NoState;
