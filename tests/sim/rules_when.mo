// when-clauses (MLS 3.6 section 8.3.5) and event iteration (appendix B).
// run: --stop 4 --intervals 8
// solvers: rk45 cvode ida rosenbrock euler
// section 8.3.5.4: elsewhen: the first branch that becomes active has priority; the second fires when it becomes active alone
// expect which(1) = 1 +- 0
// expect which(2) = 2 +- 0
// section 8.3.5: the types that a when may determine
// expect r(3) = 2.5 +- 0
// expect i(3) = 7 +- 0
// expect b(3) = 1 +- 0
// expect e(3) = 2 +- 0
// expect s_long(3) = 4 +- 0
// expect m[2,1](3) = 3 +- 0
// section 8.3.5: for and if inside of when
// expect q[3](3) = 9 +- 0
// expect sign(3) = 1 +- 0
// appendix B: when-clauses that make each other active, one pass each, in one instant
// expect c3(1) = 1 +- 0
// expect t3(4) = 1 +- 0
// appendix B: an event takes as many passes as it needs
// expect count(2-) = 0 +- 0
// expect count(2) = 30000 +- 0
// appendix B: a discrete equation outside of when
// expect toggle(3.5) = 1 +- 0
// section 8.3.5: a condition that was true and stays true does not fire again; one that falls and rises does
// expect rises(4) = 2 +- 0
// section 3.7.5: Boolean and Integer coupled with Real are solved together, not one pass later
// expect seen(3) = 5 +- 0
// simultaneous conditions are one instant: both see each other
// expect both(4) = 1 +- 0
// section 8.3.5: several variables from one call
// expect g1(3) = 3 +- 0
// expect g2(3) = 2 +- 0
// expect time_events = 5
model RulesWhen
  type E = enumeration(one, two);
  function two
    input Real u;
    output Real y1, y2;
  algorithm
    y1 := u + 1;
    y2 := u;
  end two;
  Integer which(start = 0, fixed = true), i(start = 0, fixed = true), q[3](each start = 0, each fixed = true), sign(start = 0, fixed = true);
  discrete Real r(start = 0, fixed = true), m[2, 2](each start = 0, each fixed = true), t3(start = 0, fixed = true), seen(start = 0, fixed = true), g1(start = 0, fixed = true), g2(start = 0, fixed = true);
  Boolean b(start = false, fixed = true), c1(start = false, fixed = true), c2(start = false, fixed = true), c3(start = false, fixed = true);
  E e(start = E.one, fixed = true);
  String s(start = "none", fixed = true);
  Boolean s_is = s == "four", toggle(start = false, fixed = true), wave = (time >= 1 and time < 2) or time >= 3;
  Integer s_long = if s_is then 4 else 0, count(start = 0, fixed = true), rises(start = 0, fixed = true), both(start = 0, fixed = true);
  Boolean left(start = false, fixed = true), right(start = false, fixed = true);
  Real algebraic = if c1 then 5 else 4;
equation
  when time >= 1 then
    which = 1;
  elsewhen {time >= 1, time >= 2} then
    which = 2;
  end when;
  when time >= 2 then
    r = 2.5;
    i = 7;
    b = true;
    e = E.two;
    s = "four";
    m = {{1, 2}, {3, 4}};
    for k in 1:3 loop
      q[k] = k*k;
    end for;
    if time > 1.5 then
      sign = 1;
    else
      sign = -1;
    end if;
    (g1, g2) = two(time);
  end when;
  when time >= 1 then
    c1 = true;
    seen = algebraic;
  end when;
  when c1 then
    c2 = true;
  end when;
  when pre(c2) then
    c3 = true;
    t3 = time;
  end when;
  count = if time >= 2 and pre(count) < 30000 then pre(count) + 1 else pre(count);
  toggle = if change(wave) then not pre(toggle) else pre(toggle);
  when wave then
    rises = pre(rises) + 1;
  end when;
  when time >= 2.5 then
    left = true;
  end when;
  when 2*time >= 5 then
    right = true;
  end when;
  when left and right then
    both = pre(both) + 1;
  end when;
  when time >= 0.5 then
  end when;
end RulesWhen;
