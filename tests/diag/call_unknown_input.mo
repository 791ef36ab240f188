model Uses
  function scale
    input Real u;
    input Real factor = 2;
    output Real y;
  algorithm
    y := factor*u;
  end scale;
  Real x = scale(time, fator = 3);
end Uses;
// expect T304 at 9:24
