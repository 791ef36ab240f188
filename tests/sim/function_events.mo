// GenerateEvents = true (MLS 3.6 section 12.8.3): relations, floor() and the like in the function make events as if the body stood in
// the equations; without it, and inside noEvent, they make none.
// run: --stop 2 --intervals 4 --rtol 1e-9
// solvers: rk45 cvode ida rosenbrock
// a limiter of x = 3*sin(t): x passes 0.3 at asin(0.1) and 2.4 at asin(0.8)
// expect time(#1) = asin(0.1) +- 1e-8
// expect time(#5) = asin(0.8) +- 1e-8
// expect y(0.5) = 3*sin(0.5) +- 1e-7
// expect y(1.5) = 2.4 +- 1e-12
// expect quiet(1.5) = 2.4 +- 1e-12
// a part of two results, an array in the function, a loop, and a function in the function
// expect a(1) = 1 +- 0
// expect b(1) = 2 +- 0
// expect t_b(2) = 1 +- 1e-9
// expect steps(2) = 15 +- 0
// expect f1(1.5) = 1 +- 0
// in an algorithm, of a value that it computes on its way; in a condition of when
// expect late(1.5) = 1 +- 1e-9
// expect t_high(2) = 1 +- 1e-9
// floor(3*time) changes at 1/3, 2/3, 1, 4/3, 5/3, the loop at 1, the limiter of the algorithm at 0.5, 1.15, 1.5
// expect state_events = 2
// expect time_events = 8
model FunctionEvents
  function limit
    input Real u, most;
    output Real y;
  protected
    Real small;
  algorithm
    small := if u > 0.3 then u else 2*u - u;
    if small > most then
      y := most;
    elseif small < -most then
      y := -most;
    else
      y := small;
    end if;
    annotation(GenerateEvents = true);
  end limit;
  function limitQuiet
    input Real u, most;
    output Real y;
  algorithm
    y := if u > most then most elseif u < -most then -most else u;
  end limitQuiet;
  function count
    input Real u;
    input Real levels[:];
    output Integer n;
    output Real passed[2];
  protected
    Real w[2];
  algorithm
    n := 0;
    for k in 1:size(levels, 1) loop
      if u >= levels[k] then
        n := n + 1;
      end if;
    end for;
    w[1] := n;
    w[2] := limit(2*n, 100);
    passed := w;
    annotation(GenerateEvents = true);
  end count;
  function whole
    input Real u;
    output Integer n;
  algorithm
    n := integer(floor(u));
    annotation(GenerateEvents = true);
  end whole;
  Real x(start = 0, fixed = true), y = limit(x, 2.4), quiet = limitQuiet(x, 2.4), p[2];
  function high
    input Real u;
    output Boolean above;
  algorithm
    above := u >= 2;
    annotation(GenerateEvents = true);
  end high;
  Real doubled, late;
  discrete Real t_high(start = 0, fixed = true);
  Real a = p[1], b = p[2], f1 = noEvent(limit(time, 1));
  Integer n, m = whole(3*time);
  discrete Real t_b(start = 0, fixed = true);
  Integer steps(start = 0, fixed = true);
algorithm
  doubled := 2*time;
  late := limit(doubled - 2, 1) + 0*doubled;
equation
  when high(2*time) then
    t_high = time;
  end when;
  der(x) = 3*cos(time);
  (n, p) = count(time, {1, 5});
  when b > 1 then
    t_b = time;
  end when;
  when {change(m), change(n)} then
    steps = pre(steps) + m;
  end when;
end FunctionEvents;
