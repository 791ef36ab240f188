connector Pin
  Real v;
  flow Real i;
end Pin;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model Two
  Ground a, b;
equation
  connect(a.p, b.p);
end Two;
// expect S101 at 3:13
// expect S103 at 15:3
// says: two grounds
