// Initialisation (MLS 3.6 section 8.6): fixed values of discrete variables, pre in initial equations, when initial(), event iteration.
// run: --stop 1 --intervals 4
// solvers: rk45 cvode ida rosenbrock euler
// a fixed start value of a discrete variable is that of pre(v): the when that is active sees it
// expect fixed_pre(0) = 11 +- 0
// initial equations may determine pre(v)
// expect by_equation(0) = 8 +- 0
// expect flag(0) = 1 +- 0
// a state and its pre value agree
// expect x_pre(0) = 3 +- 0
// event iteration after the initial equations: a chain over several passes
// expect chain(0) = 5 +- 0
// initial() in an equation is true during initialisation only
// expect begins(0) = 0 +- 0
// when with initial() in a vector, and as elsewhen
// expect vector(0) = 1 +- 0
// expect vector(1) = 2 +- 0
// expect other(0) = 4 +- 0
// a condition that is true from the start on is no event; one that is false at the start values and true at the initial ones is none
// expect already(1) = 0 +- 0
// a parameter with fixed = false
// expect p_shown(0) = 6 +- 1e-9
// expect by_algorithm(0) = 2.5 +- 0
// steady state
// expect steady(1) = 2 +- 1e-9
// terminal() is true once, at the end
// expect at_end(1-) = 0 +- 0
// expect at_end(1) = 1 +- 0
model RulesInitial
  Integer fixed_pre(start = 10, fixed = true), by_equation, chain(start = 0, fixed = true), vector(start = 0, fixed = true), other, already(start = 0, fixed = true), at_end(start = 0, fixed = true);
  Boolean flag, begins = initial();
  Real x(start = 3, fixed = true), steady, on(start = 1, fixed = true);
  Real p_shown = p;
  discrete Real x_pre, by_algorithm;
  parameter Real p(fixed = false, start = 1);
initial equation
  pre(by_equation) = 7;
  pre(flag) = true;
  der(steady) = 0;
  p = 2*x;
  pre(by_algorithm) = 2.5;
equation
  der(x) = -x;
  der(steady) = 2 - steady;
  der(on) = 0;
  when initial() then
    fixed_pre = pre(fixed_pre) + 1;
    x_pre = pre(x);
  end when;
  by_equation = pre(by_equation) + (if initial() then 1 else 0);
  flag = pre(flag);
  chain = if pre(chain) < 5 then pre(chain) + 1 else pre(chain);
  when {initial(), time >= 0.5} then
    vector = pre(vector) + 1;
  end when;
  when time >= 5 then
    other = 3;
  elsewhen initial() then
    other = 4;
  end when;
  when on > 0.5 then
    already = pre(already) + 1;
  end when;
  when time >= 7 then
    by_algorithm = 1;
  end when;
  when terminal() then
    at_end = pre(at_end) + 1;
  end when;
end RulesInitial;
