// A constraint that says what others say is left out of both systems, wherever initial equations stand between their rows.
// run: --stop 1 --rtol 1e-9 --intervals 10
// solvers: rk45 ida
// expect s1(1) = 2 + 0.5 +- 1e-9
// expect s2(1) = 2.75 +- 1e-9
// expect q(0) = 4
// expect q(1) = 7 +- 1e-8
// expect error S107 at 23
model repeated_beside_initial
  parameter Real k = 1.3;
  Real s1(start = 0, fixed = true), s2, v1(start = 2, fixed = true), v2, f, g, q(start = 2), w;
equation
  when initial() then
    reinit(q, 4);
  end when;
  der(s1) = v1;
  der(s2) = v2;
  2*der(v1) = f + g + 5;
  3*der(v2) = -f - g;
  s2 = s1 + 0.25;
  der(q) = w;
  w = 6*time;
  k*s2 - k*s1 = k*0.25;
end repeated_beside_initial;
