// All values of an assignment are computed before any of its targets changes: several results of a call, arrays, records, and a
// subscript that is an element of its own array; in sections, in when-statements, at the start, and beside an equation that calls
// the same function.
// solvers: rk45 ida
// run: --stop 1
// expect u(1) = sqrt(1 + 16 + 2.25) +- 1e-12
// expect w(1) = 2.5/sqrt(1 + 16 + 2.25) +- 1e-12
// expect c[1](1) = 7 +- 0
// expect c[2](1) = 3 +- 0
// expect r.p(1) = 5.5 +- 0
// expect r.q(1) = 1.25 +- 0
// expect m[1,1](1) = 7 +- 0
// expect m[1,2](1) = -9 +- 0
// expect m[2,1](1) = -6 +- 0
// expect m[2,2](1) = 22 +- 0
// expect k[1](1) = 3 +- 0
// expect k[2](1) = 5 +- 0
// expect k[3](1) = 7 +- 0
// expect a(0.5) = sqrt(1 + 0.16 + 0.09) +- 1e-12
// expect b(0.5) = 0.1/sqrt(1 + 0.16 + 0.09) +- 1e-12
// expect y(1) = 1/sqrt(1 + 2.5**2 + 1.5**2) +- 1e-12
// expect i(0.45) = 2 +- 0
// expect i(0.6) = 3 +- 0
// expect j(0.6) = 13 +- 0
// expect n(0.45) = 4 +- 0
// expect n(0.6) = 6 +- 0
model algorithm_at_once
  record R
    Real p;
    Real q;
  end R;
  record Wholes
    Real x;
    Integer k;
  end Wholes;
  function polar
    input Real a;
    input Real b;
    output Real r;
    output Real d;
  algorithm
    r := sqrt(1 + a^2 + b^2);
    d := (a - b)/r;
  end polar;
  function swap
    input Real a[2];
    output Real b[2];
  algorithm
    b := {a[2], a[1]};
  end swap;
  function turn
    input R a;
    output R b;
  algorithm
    b.p := a.q;
    b.q := a.p;
  end turn;
  function wholes
    input Real u;
    output Wholes w;
    output Integer n;
  algorithm
    w := Wholes(2*u, integer(6*u));
    n := integer(11*u);
  end wholes;
  Real u, w, c[2], m[2, 2], x(start = 0, fixed = true), y;
  R r;
  Integer k[3](each start = 0, each fixed = true), i, j, n;
  Real a(start = 0.4, fixed = true), b(start = 0.3, fixed = true);
  Wholes e, f, g;
  parameter Real a0(fixed = false), b0(fixed = false);
initial algorithm
  a0 := 2.5;
  (a0, b0) := polar(a0, 1.5);
algorithm
  u := 4;
  (u, w) := polar(u, 1.5);
  c := {3, 7};
  c := swap(c);
  r.p := 1.25;
  r.q := 5.5;
  r := turn(r);
  m := [1, 3; 2, -4];
  m := m*m;
algorithm
  when sample(0.3, 0.3) then
    k := {1, 5, 7};
    k[k[1]] := 3;
  end when;
algorithm
  when time > 0.25 then
    (a, b) := polar(a, b);
  end when;
algorithm
  (g, j) := wholes(x);
  j := j + 7;
equation
  der(x) = 1;
  y = b0;
  (e, n) = wholes(x);
  f = wholes(x);
  i = f.k;
end algorithm_at_once;
