model NoDerivative
  function f
    input Real x;
    output Real y;
  algorithm
    y := if x > 0 then floor(x) else x;
  end f;
  Real x(start = 1), v, F;
equation
  der(x) = v;
  der(v) = F;
  f(x) = sin(time);
end NoDerivative;
// expect S106 at 12:3
// says: `NoDerivative.f` has no derivative
// says: annotation `derivative`
