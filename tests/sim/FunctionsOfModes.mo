// Each mode calls functions of its own: external ones by their place in the table of that mode.
// expect x(0.25) = 1.25 +- 1e-9
// expect y(0.25) = 4 +- 0
// expect x(0.5) = 8 +- 0
// expect y(0.5) = 13 +- 0
// expect z(0.5) = 0.7 +- 1e-12
// expect x(1) = 8.9 +- 1e-9
// expect y(1) = 34 +- 0
// expect z(1) = 4.0625 +- 1e-12
// expect k(1) = 26 +- 0
model FunctionsOfModes
  function length
    input String s;
    output Integer n;
    external "C" n = ModelicaStrings_length(s);
  end length;
  function part
    input String s;
    input Integer i, j;
    output String t;
    external "C" t = ModelicaStrings_substring(s, i, j);
  end part;
  function skip
    input String s;
    input Integer i;
    output Integer n;
    external "C" n = ModelicaStrings_skipWhiteSpace(s, i);
  end skip;
  function fibonacci
    input Integer n;
    output Integer y;
  algorithm
    y := if n < 2 then n else fibonacci(n - 1) + fibonacci(n - 2);
  end fibonacci;
  function horner
    input Real c[:], x;
    output Real y = 0;
  algorithm
    for k in 1:size(c, 1) loop
      y := y*x + c[k];
    end for;
  end horner;
  Real x(start = 0, fixed = true), y, z, w(start = 0, fixed = true);
  Integer k(start = 0, fixed = true);
equation
  der(w) = 1;
  when sample(0.05, 0.1) then
    k = pre(k) + (if time < 0.3 then length("ab") elseif time < 0.6 then skip("  x", 1) + 1 else length(part("water", 3, 4)));
  end when;
  if time < 0.3 then
    der(x) = length("abcde");
    y = length("four");
    z = w;
  elseif time < 0.6 then
    x = skip("       x", 1);
    y = fibonacci(7);
    z = delay(w, 0.3) + 0.5;
  else
    der(x) = length(part("abcdefgh", 3, 4)) + 0.25;
    y = fibonacci(9);
    z = horner({1, length(part("water", 1, 2)), 1.0625}, w);
  end if;
end FunctionsOfModes;
