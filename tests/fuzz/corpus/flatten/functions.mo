package Functions "several results, defaults, named arguments, loops, recursion, protected arrays"
  function statistics
    input Real v[:];
    output Real mean;
    output Real deviation;
  protected
    Integer n = size(v, 1);
    Real d[n];
  algorithm
    mean := sum(v)/n;
    for i in 1:n loop
      d[i] := v[i] - mean;
    end for;
    deviation := sqrt(d*d/n);
  end statistics;
  function power
    input Real x;
    input Integer n = 2;
    output Real y;
  algorithm
    if n == 0 then
      y := 1;
      return;
    end if;
    y := x*power(x, n - 1);
  end power;
  model Test
    Real v[3] = {time, time^2, 1};
    Real mean, deviation;
    Real p = power(time);
    Real q = power(n = 3, x = time);
    Real r[3] = power(v);
  equation
    (mean, deviation) = statistics(v);
  end Test;
end Functions;
