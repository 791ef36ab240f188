model refused_external_text "what a run refuses, a check refuses"
  function half
    input Real x;
    output Real y;
    external "C" y = half_of(x) annotation(Include = "double half_of(double x) { return x/2; }");
  end half;
  Real y = half(time);
end refused_external_text;
// expect X001 at 2:12
