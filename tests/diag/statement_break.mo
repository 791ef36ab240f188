model Search
  Integer n;
algorithm
  n := integer(time);
  break;
end Search;
// expect T308 at 5:3
