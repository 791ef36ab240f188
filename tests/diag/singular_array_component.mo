model Cell
  parameter Boolean closed = true;
  Real p, q;
equation
  if closed then
    q = 2*p;
  end if;
end Cell;
model Chain
  Cell cell[4](closed = {true, true, false, true});
equation
  for i in 1:4 loop
    cell[i].p = i;
  end for;
end Chain;
// expect S101 at 3:11
// says: `cell[3].q`
// says: Chain.cell[3]
