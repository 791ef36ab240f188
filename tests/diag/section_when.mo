model SectionWhen "its targets change at events: nobody differentiates them"
  Real x, y, z;
  discrete Real d(start = 0);
algorithm
  when time > 0.4 then
    d := 3;
  end when;
  y := 5*x + d;
equation
  y = cos(time);
  der(x) = z;
end SectionWhen;
// expect S106 at 4:1
// says: it constrains `x`
// says: continuous Reals only
