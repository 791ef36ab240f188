// Integers, Booleans and enumerations that functions make of continuous values change at located events, in every form.
// solvers: rk45 ida
// expect k(0.36) = 2 +- 0
// expect k(0.38) = 1 +- 0
// expect n(1) = 1 +- 0
// expect m(1) = 2 +- 1e-6
// expect r.k(0.5) = 1 +- 0
// expect r.k(0.9) = 2 +- 0
// expect r.b(0.36) = 0 +- 0
// expect r.b(0.9) = 1 +- 0
// expect a[1](0.9) = 2 +- 0
// expect a[2](0.9) = 4 +- 0
// expect e(0.1) = 1 +- 0
// expect e(0.5) = 2 +- 0
// expect e(0.9) = 3 +- 0
// expect j(0.3) = -1 +- 0
// expect j(0.9) = 1 +- 0
// expect late(0.48) = 2 +- 0
// expect late(0.9) = 5 +- 0
// expect q(0.4) = 1 +- 0
// expect q(0.5) = 11 +- 0
// expect own(0.5) = 0 +- 0
// expect own(0.8) = 1 +- 0
// expect v(0.8) = 1.1 +- 1e-6
// expect at(1) = 0.37 +- 1e-8
model function_wholes
  type E = enumeration(A, B, C);
  record R
    Real m;
    Integer k;
    Boolean b;
  end R;
  function pair
    input Real u;
    output Real m;
    output Integer k;
  algorithm
    m := 2*u;
    k := if u > 0.37 then 1 else 2;
  end pair;
  function whole
    input Real u;
    output Integer k;
  algorithm
    assert(u >= 0, "negative");
    k := integer(u);
  end whole;
  function wholes
    input Real u[:];
    output Integer k[size(u, 1)];
  algorithm
    for i in 1:size(u, 1) loop
      k[i] := integer(u[i]);
    end for;
  end wholes;
  function record_of
    input Real u;
    output R r;
  algorithm
    r := R(2*u, integer(3*u), u > 0.37);
  end record_of;
  function literal
    input Real u;
    output E e;
  algorithm
    e := if u > 0.6 then E.C elseif u > 0.2 then E.B else E.A;
  end literal;
  function above
    input Real u, level;
    output Boolean b;
  algorithm
    b := u > level;
  end above;
  Real x(start = 0, fixed = true), z(start = 0, fixed = true), m, mq, v;
  Integer k, n(start = 0, fixed = true), a[2] = wholes({2.5*x, 5*x}), j, late, kq, q, own = whole(v/0.7);
  R r = record_of(x);
  E e = literal(x);
  discrete Real at(start = 0, fixed = true);
equation
  der(x) = 1;
  (m, k) = pair(x);
  when above(x, 0.37) then
    n = pre(n) + 1;
    at = time;
  end when;
  // a function is called only where its branch holds
  if x > 0.35 then
    j = whole(2*(x - 0.35));
  else
    j = -1;
  end if;
  // in a mode that comes later
  if time < 0.4 then
    der(z) = 1;
    late = whole(3*x);
  else
    z = 2*x;
    late = whole(3*z);
  end if;
  // it switches what it looks at
  v = x + 0.3*own;
algorithm
  (mq, kq) := pair(x);
  if above(mq, 0.9) then
    q := kq + 10;
  else
    q := kq;
  end if;
end function_wholes;
