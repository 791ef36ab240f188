model Uses
  function f
    input Real u;
    output Real y;
  external "C" y = sin(u);
  algorithm
    y := u;
  end f;
  Real x = f(time);
end Uses;
// expect N010 at 6:3
