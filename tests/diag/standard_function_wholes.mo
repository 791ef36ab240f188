model standard_function_wholes "whole numbers that functions make of continuous values are an extension"
  function f
    input Real u;
    output Real m;
    output Integer k;
  algorithm
    m := 2*u;
    k := integer(3*u);
  end f;
  function above
    input Real u;
    output Boolean b;
  algorithm
    b := u > 0.5;
  end above;
  Real m;
  Integer k, n(start = 0, fixed = true), q = if above(3) then 1 else 2;
  Boolean b = above(time);
equation
  (m, k) = f(time);
  when above(m) then
    n = pre(n) + 1;
  end when;
end standard_function_wholes;
// options: --std
// expect X003 at 18:15
// expect X003 at 20:3
// expect X003 at 21:3
