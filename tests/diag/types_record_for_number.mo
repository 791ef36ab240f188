model Gas
  record State
    Real p;
    Real T;
  end State;
  State s = State(1e5, 300);
  Real x = s;
end Gas;
// expect T301 at 7:12
