model Uses
  function square
    input Real u;
    output Real y;
  algorithm
    y := u*u;
  end square;
  model Part
    extends square;
  end Part;
  Part part;
end Uses;
// expect N011 at 9:13
