package Machines
  block State
    Integer n(start = 0);
  equation
    n = 1;
  end State;
  model Machine
    State a;
    State b;
  equation
    initialState(a);
    transition(a, b, time > 1);
  end Machine;
end Machines;
// expect X001 at 11:5
// expect X001 at 12:5
