model Uses
  function scale
    input Real u;
    output Real y;
  end scale;
  Real x = scale(time);
end Uses;
// expect M006 at 6:12
