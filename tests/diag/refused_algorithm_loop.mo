model refused_algorithm_loop "what a run refuses, a check refuses"
  Real x, y;
algorithm
  y := x;
  while noEvent(y > 1) loop
    y := y/2;
  end while;
equation
  x = 0.5*y + time;
end refused_algorithm_loop;
// expect X001 at 3:1
// says: a loop through an algorithm section is not supported yet
