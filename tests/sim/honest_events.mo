// An event each 0.69 s, 20,000 of them, far from time 0: a long run is no accumulation, however small an event is against it.
// run: --start 1e9 --stop 1000013799.9 --intervals 7 --event-rows none
// solvers: auto rk45 rosenbrock
// expect exit 0
// expect no R609
// expect state_events = 19999 +- 1
// expect n(1000013799.9) = 19999 +- 1
model HonestEvents
  Real x(start = 0, fixed = true);
  discrete Real n(start = 0, fixed = true);
equation
  der(x) = 1/0.69;
  when x > pre(n) + 1 then
    n = pre(n) + 1;
  end when;
end HonestEvents;
