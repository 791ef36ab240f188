// Integers, Booleans and enumerations in records that functions return, and several results in an algorithm: the text reads back.
model function_record_parts
  type E = enumeration(a, b);
  record In
    Boolean b;
    E e;
    Integer i[2];
  end In;
  record Pair
    Real a;
    Integer k;
    In in1;
  end Pair;
  function make
    input Real a;
    input Integer k;
    output Pair p;
  algorithm
    p.a := a;
    p.k := k;
    p.in1 := In(a > 0.5, if a > 0.4 then E.a else E.b, {integer(3*a), k});
  end make;
  function make2
    input Integer k;
    output Pair p;
  algorithm
    p := make(0.3*k, k);
  end make2;
  function makes
    input Real a;
    output Pair p[2];
  algorithm
    p := {make(a, 1), make(2*a, 2)};
  end makes;
  function count
    input Pair p;
    output Integer n;
  algorithm
    n := p.k + p.in1.i[1];
  end count;
  function several
    input Real a;
    output Pair p;
    output Integer n;
  algorithm
    p := make(a, 1);
    n := integer(7*a);
  end several;
  Pair q, r, v[2], w, u, z, t, tq;
  Integer tn, tm;
  Real x(start=1,fixed=true);
  Integer n = if x > 0.5 then 2 else 5;
  Integer m = count(make(x,1));
  Integer o = count(make(x, n)), oo;
  Integer l = noEvent(count(make2(n)));
  Boolean b = true;
equation
  der(x) = -x;
  u = make2(n);
  (tq, tm) = several(x);
  q = make(x, 3);
  r = if x > 0.3 then make(x, 3) else make(2*x, 4);
  v = makes(x);
  z = v[n-1-(if n > 3 then 2 else 0)];
  when sample(0.1, 0.1) then
    w = make(x, n);
  end when;
algorithm
  oo := count(make2(n));
  (t, tn) := several(x);
  (t, tn) := several(t.a);
end function_record_parts;
