model constant_arguments "calls whose arguments are constant only when arrays are expanded: folded once and for all"
  function horner
    input Real u;
    input Real c[:];
    output Real y;
  algorithm
    y := 0;
    for k in size(c, 1):-1:1 loop
      y := y*u + c[k];
    end for;
  end horner;
  function polar
    input Real a;
    input Real b;
    output Real r;
    output Real d;
  algorithm
    r := sqrt(1 + a^2 + b^2);
    d := (a - b)/r;
  end polar;
  parameter Real q = 2;
  constant Real w[2] = {0.5, 0.25};
  Real a, b, c, d, e;
equation
  a = horner(max({1, 3}), w);
  b = horner(min({4, 3}), 2*w);
  c = horner(q, w);
  (d, e) = polar(0.5, horner(sum({1, 2}), w));
end constant_arguments;
