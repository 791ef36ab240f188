model Uses
  function twice
    input Real u;
    output Real y;
  algorithm
    u := 2*u;
    y := u;
  end twice;
  Real x = twice(time);
end Uses;
// expect V001 at 6:5
