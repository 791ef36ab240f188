// Functions called like variables of functions, like iterators and like results of helpers: the text means the same.
function level
  input Real x;
  output Real level[2];
algorithm
  for i in 1:2 loop
    level[i] := i*x + i1(x);
  end for;
end level;
function i1
  input Real x;
  output Real y = 0;
protected
  Real part;
algorithm
  part := .level2(x);
  for i in 1:2 loop
    y := y + part*i;
  end for;
end i1;
function level2
  input Real x;
  output Real y = x;
protected
  Real i1 = 2;
algorithm
  for i in 1:2 loop
    y := y + i1;
  end for;
end level2;
model names_hidden
  function part
    input Integer n;
    input Real x;
    output Real part[3];
  algorithm
    for i in 1:3 loop
      part[i] := if i == n then x else 0;
    end for;
  end part;
  function own
    input Real x;
    output Real y[2];
  algorithm
    for i in 1:2 loop
      y[i] := x + i;
    end for;
  end own;
  Real x(start = 1, fixed = true), a[3], b[2], c[2];
equation
  der(x) = sum(b);
  if time > 0.5 then
    a = part(2, x);
  else
    a = part(1, x);
  end if;
  b = level(x);
  c = own(x);
end names_hidden;
