model TooMany "even the shortest branch is one too many"
  Real x;
equation
  x = time;
  if x < 1 then
    x = 1;
  else
    x = 2;
    x = 3;
  end if;
end TooMany;
// expect S105 at 5:3
// expect S103 at 5:3
