model discrete_loop_algorithms "two sections that need the new value of each other"
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true);
algorithm
  when b < 5 and time > 0.5 then
    a := 3;
  end when;
algorithm
  when a == 3 then
    b := 7;
  end when;
end discrete_loop_algorithms;
// expect D401 at 4:3
