// A delay that varies between events: a jump comes out where time - delay is the time when it entered, once, as an event.
// run: --stop 2 --intervals 8 --rtol 1e-8
// solvers: rk45 cvode ida rosenbrock euler
// growing: t - (0.1 + t/2) = 0.3 at 0.8; shrinking: t - (0.6 - t/2) = 0.3 at 0.6
// expect t_growing(2) = 0.8 +- 1e-12
// expect t_shrinking(2) = 0.6 +- 1e-12
// expect growing(0.75) = 0 +- 0
// expect shrinking(0.75) = 1 +- 0
// expect growing(1) = 1 +- 0
// expect ramp(1) = 0.4 +- 1e-9
// expect time_events = 1
// expect state_events = 2
model DelayVarying
  Real u = if time < 0.3 then 0 else 1;
  Real growing = delay(u, 0.1 + time/2, 1.1), shrinking = delay(u, 0.6 - time/2, 0.6), ramp = delay(time, 0.1 + time/2, 1.1);
  discrete Real t_growing(start = 0, fixed = true), t_shrinking(start = 0, fixed = true);
equation
  when growing > 0.5 then
    t_growing = time;
  end when;
  when shrinking > 0.5 then
    t_shrinking = time;
  end when;
end DelayVarying;
