model Uses
  function split
    input Real u;
    output Real a;
    output Real b;
  algorithm
    a := u;
    b := 2*u;
  end split;
  Real x;
  Real y;
  Real z;
equation
  (x, y, z) = split(time);
end Uses;
// expect T304 at 14:3
