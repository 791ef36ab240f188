model Uses
  function f
    input Real u;
    output Real y;
  algorithm
    y := der(u);
  end f;
  Real x = f(time);
end Uses;
// expect D404 at 6:10
