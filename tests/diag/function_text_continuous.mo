model function_text_continuous "texts that functions make of continuous values are not watched"
  function f
    input Real u;
    output Real m;
    output String s;
  algorithm
    m := 2*u;
    s := if u > 0.5 then "high" else "low";
  end f;
  function g
    input Real u;
    output String s;
  algorithm
    s := if u > 0.5 then "high" else "low";
  end g;
  Real m;
  String s, t = g(time);
equation
  (m, s) = f(time);
end function_text_continuous;
// expect V001 at 17:17
// expect V001 at 19:3
