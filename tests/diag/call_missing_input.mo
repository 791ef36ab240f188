model Uses
  function scale
    input Real u;
    input Real factor;
    output Real y;
  algorithm
    y := factor*u;
  end scale;
  Real x = scale(time);
end Uses;
// expect T304 at 9:12
