connector Pin
  Real v;
  flow Real i;
end Pin;
model CurrentSource
  Pin p, n;
  parameter Real I = 1;
equation
  p.i = I;
  p.i + n.i = 0;
end CurrentSource;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Series
  CurrentSource s1(I = 1), s2(I = 2);
  Ground g;
equation
  connect(s1.n, s2.p);
  connect(s1.p, g.p);
  connect(s2.n, g.p);
end Series;
// expect S101 at 2:8
// expect S103 at 21:3
// says: in series
