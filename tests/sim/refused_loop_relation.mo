// A relation of values that a loop computes: how many events it makes is not known beforehand.
// expect exit 1
// expect error X001 at 9
// expect message a loop of an algorithm computes
model RefusedLoopRelation
  Integer n;
algorithm
  n := 0;
  while time > n loop
    n := n + 1;
  end while;
end RefusedLoopRelation;
