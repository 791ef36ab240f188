// A method with a fixed step finds events between its points: x = 1 - t passes 0.3 at 0.7, between 0.6 and 0.8.
// run: --solver rk4 --solver-step 0.2 --stop 2 --intervals 10
// expect x(2) = 0.3 + 1.3 +- 1e-12
// expect at(2) = 0.7 +- 1e-12
// expect state_events = 1
model SolverFixedEvent
  Real x(start = 1, fixed = true);
  discrete Real at(start = 0, fixed = true);
  Boolean up(start = false, fixed = true);
equation
  der(x) = if up then 1 else -1;
  when x < 0.3 then
    up = true;
    at = time;
  end when;
end SolverFixedEvent;
