// Conditions of when-statements are computed where they stand in the algorithm: targets have their value from before there, or
// what statements above have assigned (MLS 3.6 sections 11.1.2 and 11.2.7).
// solvers: rk45 ida
// expect p(0.25) = 1 +- 0
// expect p(0.4) = 2 +- 0
// expect p(1) = 3 +- 0
// expect n(0.4) = 10 +- 0
// expect n(1) = 1011 +- 0
// expect b(0.6) = 0 +- 0
// expect b(0.8) = 1 +- 0
// expect c[1](0.2) = 0 +- 0
// expect c[1](1) = 1 +- 0
// expect c[2](1) = 2 +- 0
// expect c[3](1) = 7 +- 0
// expect y(0.2) = 0.2 +- 1e-9
// expect y(1) = 2 +- 1e-9
// expect q(1) = 6 +- 0
// expect run[1].s(0.12) = 1 +- 0
// expect run[1].s(1) = 3 +- 0
// expect run[2].s(0.5) = 1 +- 0
// expect z(1) = 0.1 + 3*0.8 + 10*(0.3 + 3*0.4) +- 1e-9
// expect m(0.4) = 0 +- 0
// expect m(1) = 1 +- 0
model Steps
  parameter Real d = 0.1;
  Integer s(start = 0, fixed = true);
  discrete Real until(start = 0, fixed = true);
algorithm
  when s == 0 and time > d then
    s := 1;
    until := time + d;
  elsewhen s == 1 and time > until then
    s := 2;
  end when;
  when s == 2 then
    s := 3;
  end when;
end Steps;
model algorithm_when_targets
  Integer p(start = 1, fixed = true), n(start = 0, fixed = true), c[3](each start = 0, each fixed = true);
  Integer total, q(start = 0, fixed = true), m(start = 0, fixed = true);
  Boolean seen(start = false, fixed = true), b(start = false, fixed = true);
  discrete Real w(start = 3, fixed = true);
  Real x(start = 0, fixed = true), y, z(start = 0, fixed = true), h(start = 0, fixed = true);
  Steps run[2](d = {0.1, 0.3});
equation
  der(x) = 1;
  der(z) = run[1].s + 10*run[2].s;
  if time < 0.45 then
    der(h) = 1;
  else
    h = 2*x;
  end if;
algorithm
  // elsewhen of its own variable; the last clause becomes active in the pass after
  when p == 1 and time > 0.3 then
    p := 2;
  elsewhen p == 2 and time > 0.6 then
    p := 3;
  end when;
  when p == 2 then
    n := n + 10;
  end when;
  when p == 3 then
    n := n + 1;
    seen := true;
  elsewhen seen then
    n := n + 1000;
  end when;
algorithm
  when time > 0.7 then
    w := 6;
  end when;
  when w >= 5 then
    b := true;
  end when;
algorithm
  // elements of arrays, continuous targets beside them
  y := x;
  for i in 1:3 loop
    y := y + 0.1*c[i];
  end for;
  when x > 0.25 then
    c[2] := c[2] + 2;
  end when;
  when sum(c) >= 2 then
    c[3] := 7;
  end when;
  total := c[1] + c[2] + c[3];
  when total > 8 then
    c[1] := 1;
  end when;
algorithm
  // in a loop each turn has its own condition
  for i in 1:3 loop
    when 2*q == (i - 1)*i and x > 0.2*i then
      q := q + i;
    end when;
  end for;
algorithm
  // in a mode that comes later
  when m == 0 and h > 1 then
    m := 1;
  end when;
end algorithm_when_targets;
