model Switch
  Integer n = integer(time);
  Boolean a = n != 2;
end Switch;
// expect P001 at 3:17
