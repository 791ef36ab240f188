model Start "connected from the start, with different fixed values"
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), i;
equation
  der(a) = -i;
  der(b) = i;
  if time < 0.5 then
    a = b;
  else
    i = 0;
  end if;
end Start;
// expect exit 3
// expect error I501 at 2
