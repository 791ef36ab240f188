model Uses
  function f
    input Real u;
    output Real y;
  algorithm
    y := 0;
    when u > 1 then
      y := 1;
    end when;
  end f;
  Real x = f(time);
end Uses;
// expect D403 at 7:5
