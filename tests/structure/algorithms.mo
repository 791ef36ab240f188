// An algorithm with two results, one of them from its value before.
model Algorithms
  Real x(start = 1, fixed = true), y, z;
  Integer n(start = 0, fixed = true);
algorithm
  y := x^2;
  for i in 1:3 loop
    y := y + i*x;
  end for;
  z := sin(y);
algorithm
  when sample(0, 0.1) then
    n := pre(n) + 1;
  end when;
equation
  der(x) = -z;
end Algorithms;
