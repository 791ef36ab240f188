// reinit (MLS 3.6 section 8.3.6): the value counts from the end of the pass on, before pre := present value.
// run: --stop 4 --intervals 16
// solvers: rk45 cvode ida rosenbrock euler
// several states in one instant, each value computed from those before
// expect x(1) = 9 +- 1e-9
// expect y(1) = 1 +- 1e-9
// an equation of the same pass sees the old value, the next pass the new one, also as pre
// expect same_pass(4) = 1 +- 1e-9
// expect next_pass(4) = 9 +- 1e-9
// expect next_pre(4) = 9 +- 1e-9
// algebraic variables follow in the same instant
// expect double(1) = 18 +- 1e-9
// expect double(1-) = 2 +- 1e-9
// pre(z) in the argument is the value before the event
// expect z(1.25) = 2.25 +- 1e-9
// expect z(2.25) = 6.25 +- 1e-9
// reinit under if inside of when, and in elsewhen
// expect u(2.25) = 10.25 +- 1e-9
// expect u(3.25) = 20.25 +- 1e-9
// a jump by reinit that makes a relation true fires its when in the same instant
// expect hit(1-) = 0 +- 0
// expect hit(1) = 1 +- 0
// expect t_hit(4) = 1 +- 0
// reinit to the present value is no change: no endless event
// expect idle(4) = 4 +- 1e-9
// a state of an array
// expect v[2](1.5) = 5.5 +- 1e-9
// expect v[1](1.5) = 1.5 +- 1e-9
model RulesReinit
  Real x(start = 0, fixed = true), y(start = 8, fixed = true), z(start = 0, fixed = true), u(start = 0, fixed = true), idle(start = 0, fixed = true);
  Real v[2](each start = 0, each fixed = true), double = 2*x;
  discrete Real same_pass(start = 0, fixed = true), next_pass(start = 0, fixed = true), next_pre(start = 0, fixed = true), t_hit(start = 0, fixed = true);
  Boolean passed(start = false, fixed = true), hit(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = 1;
  der(z) = 1;
  der(u) = 1;
  der(idle) = 1;
  der(v) = {1, 1};
  when time >= 1 then
    reinit(x, y);
    reinit(y, x);
    same_pass = x;
    passed = true;
  end when;
  when pre(passed) then
    next_pass = x;
    next_pre = pre(x);
  end when;
  when x > 8.5 then
    hit = true;
    t_hit = time;
  end when;
  when {time >= 1, time >= 2} then
    reinit(z, 2*pre(z));
  end when;
  when time >= 3 then
    reinit(u, 20);
    n = 3;
  elsewhen time >= 2 then
    if x > 9.5 then
      reinit(u, 10);
    else
      reinit(u, -10);
    end if;
    n = 2;
  end when;
  when sample(1, 1) then
    reinit(idle, idle);
  end when;
  when time >= 1 then
    reinit(v[2], 5);
  end when;
end RulesReinit;
