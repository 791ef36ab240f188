// A relay whose limits matter in turns: each step leads from one limit to the other, and the relation that fires next was idle until
// then. It has gone all the way all the same: 3,199 honest events are no accumulation. One period takes 1.25/2 + 1.25/0.5 = 3.125 s.
// run: --stop 5000 --intervals 7 --event-rows none
// solvers: auto rk45 rosenbrock cvode
// expect exit 0
// expect no R609
// expect state_events = 3199 +- 0
// expect x(5000) = 0.3125 +- 1e-5
model HonestRelay
  Real x(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
equation
  der(x) = if up then 2 else -0.5;
  up = if pre(up) then x < 1.5 else x < 0.25;
end HonestRelay;
