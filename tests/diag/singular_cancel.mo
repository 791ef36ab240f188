model FloatingSpring
  Real x1(start = 0), x2(start = 1), f1, f2;
equation
  f1 = 10*(x2 - x1);
  f2 = -f1;
  f1 + f2 = 0;
  x1 = f2 + f1;
end FloatingSpring;
// expect S102 at 6:3
// says: repeats what line 5
