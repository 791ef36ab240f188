// expect exit 4
// expect error R606 at 11
// expect message there is not enough memory
model bad_function_text "MOST_RUN_TEXT"
  function grow
    input Integer n;
    output Real y = 0;
  protected
    String s = "x";
  algorithm
    for k in 1:n loop s := s + s; end for;
  end grow;
  parameter Integer n = 29;
  discrete Real y(start = 0, fixed = true);
equation
  when time > 0.5 then
    y = grow(n);
  end when;
end bad_function_text;
