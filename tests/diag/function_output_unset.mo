model Uses
  function split
    input Real u;
    output Real a;
    output Real b;
  algorithm
    a := u;
  end split;
  Real x = split(time);
end Uses;
// expect T309 at 5:17
