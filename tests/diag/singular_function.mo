model NoDerivative
  function f
    input Real x;
    output Real y;
  external "C" y = exp(x);
  end f;
  Real x(start = 1), v, F;
equation
  der(x) = v;
  der(v) = F;
  f(x) = sin(time);
end NoDerivative;
// expect S106 at 11:3
// says: `NoDerivative.f` has no derivative
// says: annotation `derivative`
