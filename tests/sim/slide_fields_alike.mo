// An event takes away what a relation switches while the motion slides along it: it goes on as the equations say.
// run: --stop 3 --intervals 300
// solvers: rk45 cvode ida rosenbrock
// x is at 0.2 from 0.4 to 1.5, then grows with 0.5
// expect x(1) = 0.2 +- 1e-7
// expect x(3) = 0.95 +- 1e-6
// y is at 0 from 0.5 to 2 and stays there; what reads it sees the average 0 of the switch, then 0.25
// expect y(3) = 0 +- 1e-7
// expect r(1.9) = 0 +- 1e-7
// expect r(3) = 0.25 +- 1e-9
model SlideFieldsAlike
  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true), r;
equation
  der(x) = if time > 1.5 then 0.5 elseif x > 0.2 then -2 else 1;
  der(y) = if time > 2 then 0 else r;
  r = if time > 2 then 0.25 elseif y > 0 then -1 else 1;
end SlideFieldsAlike;
