model SectionExternal "a function without derivative on the way"
  function f
    input Real x;
    output Real y;
  external "C" y = exp(x);
  end f;
  Real x(start = 1), y, z;
algorithm
  y := 3*x;
  y := y + f(x);
equation
  y = 4 + sin(time);
  der(x) = z;
end SectionExternal;
// expect S106 at 8:1
// says: `SectionExternal.f` has no derivative
