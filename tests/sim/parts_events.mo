// Parts that act on each other through events: an event of one changes another in the middle of its step, and no third one.
// solvers: auto rk45 cvode rosenbrock
// expect y(3.5) = 3 + (2 + (1 - exp(-1) - 2)*exp(-1) - 3)*exp(-0.5) +- 3e-5
// expect q(3.5) = exp(-3.5) +- 1e-5
// expect x(3.5) = 0.5**7 +- 1e-6
// expect level(3.5) = 3 +- 0
// expect both(3.5) = 35 +- 0
// expect n1(3.5) = 35 +- 0
// expect n2(3.5) = 11 +- 0
model PartsEvents
  Real s(start = 0, fixed = true) "makes the steps of level";
  Real y(start = 0, fixed = true) "follows level";
  Real q(start = 1, fixed = true) "on its own";
  Real x(start = 1, fixed = true) "held by a sampled controller";
  discrete Real u(start = -1, fixed = true);
  Integer level(start = 0, fixed = true), n1(start = 0, fixed = true), n2(start = 0, fixed = true), both(start = 0, fixed = true);
equation
  der(s) = 1;
  when s >= 1 then
    reinit(s, 0);
    level = pre(level) + 1;
  end when;
  der(y) = level - y;
  der(q) = -q;
  der(x) = u;
  when sample(0, 0.5) then
    u = -x;
  end when;
  when sample(0.1, 0.1) then
    n1 = pre(n1) + 1;
  end when;
  when sample(0.3, 0.3) then
    n2 = pre(n2) + 1;
  end when;
  when {change(n1), change(n2)} then
    both = pre(both) + 1;
  end when;
  annotation(experiment(StopTime = 3.55));
end PartsEvents;
