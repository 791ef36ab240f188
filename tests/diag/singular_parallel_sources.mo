connector Pin
  Real v;
  flow Real i;
end Pin;
model Source
  Pin p, n;
  parameter Real V = 1;
equation
  p.v - n.v = V;
  p.i + n.i = 0;
end Source;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Parallel
  Source s1(V = 12), s2(V = 24);
  Ground g;
equation
  connect(s1.p, s2.p);
  connect(s1.n, s2.n);
  connect(s1.n, g.p);
end Parallel;
// expect S101 at 3:13
// expect S103 at 23:3
// says: in parallel
