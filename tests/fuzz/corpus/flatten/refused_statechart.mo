model Door
  Real x = time;
statechart motion
  initial state open;
  state shut;
  transition open to shut when x > 1;
end motion;
end Door;
// expect X001 at 3:1
