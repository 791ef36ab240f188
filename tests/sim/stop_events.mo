// At the stop time terminal() becomes true; a sample that is due then does not happen any more.
// expect n(0) = 1 +- 0
// expect n(0.99) = 4 +- 0
// expect n(1) = 4 +- 0
// expect ended(1) = 1 +- 0
// expect ended(1-) = 0 +- 0
model StopEvents
  Integer n(start = 0, fixed = true);
  Boolean ended(start = false, fixed = true);
equation
  when sample(0, 0.25) then
    n = pre(n) + 1;
  end when;
  when terminal() then
    ended = true;
  end when;
end StopEvents;
