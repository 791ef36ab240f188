package Numbers "functions: several results, recursion, loops, array sizes, local functions as arguments"
  function factorial
    input Integer n;
    output Integer f;
  algorithm
    f := if n <= 1 then 1 else n*factorial(n - 1);
  end factorial;
  function extremes
    input Real v[:];
    output Real lo = v[1];
    output Real hi = v[1];
  algorithm
    for i in 2:size(v, 1) loop
      if v[i] < lo then
        lo := v[i];
      elseif v[i] > hi then
        hi := v[i];
      end if;
    end for;
  end extremes;
  function root "bisection"
    input Func f;
    input Real a;
    input Real b;
    output Real x;
  protected
    Real lo = a, hi = b;
    Integer n = 0;
  algorithm
    while hi - lo > 1e-6 loop
      n := n + 1;
      if n > 100 then
        break;
      end if;
      x := (lo + hi)/2;
      if f(x)*f(lo) <= 0 then
        hi := x;
      else
        lo := x;
      end if;
    end while;
    x := (lo + hi)/2;
  end root;
  partial function Func
    input Real x;
    output Real y;
  end Func;
  function parabola
    extends Func;
    input Real c = 2;
  algorithm
    y := x^2 - c;
  end parabola;
  model Test
    constant Integer n = factorial(4);
    parameter Real r = root(function parabola(c = 3), 0, 4);
    Real v[3] = {sin(time), cos(time), time};
    Real lo, hi;
    Real onlyHigh;
    Real w[n] = linspace(0, 1, n)*time;
  equation
    (lo, hi) = extremes(v);
    (, onlyHigh) = extremes({lo, r});
  end Test;
end Numbers;
// expect nothing
