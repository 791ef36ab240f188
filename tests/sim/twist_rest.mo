// Twisting controls of three kinds come to rest, on two surfaces each; beside each other, and all in one part. The part of the time in
// which v is positive minus that in which it is negative is -T*(1 - r)/(1 + r), r = sqrt((a - b)/(a + b)), but for the last turns, which are left
// out; at rest the averages of both switches are known.
// run: --stop 8
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect x[1](8) = 0 +- 1e-9
// expect x[2](8) = 0 +- 1e-9
// expect x[3](8) = 0 +- 1e-9
// expect v[1](8) = 0 +- 1e-9
// expect v[2](7) = 0 +- 1e-9
// expect v[3](8) = 0 +- 1e-9
// expect q[1](8) = -sqrt(1.1)*(sqrt(2/1.3)+sqrt(2*1.3)/2.9)/(1+sqrt(1.3/2.9)) +- 2e-3
// expect q[2](8) = -sqrt(0.4)*(sqrt(2/0.4)+sqrt(2*0.4)/2.2)/(1+sqrt(0.4/2.2)) +- 2e-3
// expect q[3](8) = -sqrt(2.3)*(sqrt(2/5)+sqrt(2*5)/9)/(1+sqrt(5/9)) +- 2e-3
// expect u[1](7.2) = 0 +- 1e-6
// expect u[2](7.2) = 0 +- 1e-6
// expect slides = 6
// expect steps <= 8000
model TwistRest
  parameter Real a[3] = {2.1, 1.3, 7}, b[3] = {0.8, 0.9, 2};
  Real x[3](start = {1.1, 0.4, 2.3}, each fixed = true), v[3](each start = 0, each fixed = true);
  Real q[3](each start = 0, each fixed = true), u[3];
equation
  der(x) = v;
  for k in 1:3 loop
    u[k] = (if x[k] > 0 then -a[k] else a[k]) + (if v[k] > 0 then -b[k] else b[k]);
    der(v[k]) = u[k];
    der(q[k]) = if v[k] > 0 then 1 else -1;
  end for;
end TwistRest;
