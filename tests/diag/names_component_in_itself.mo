model Tree
  Real x = time;
  Tree branch;
end Tree;
// expect N003 at 3:8
