package Attributes
  type Pressure = Real(final quantity = "Pressure", unit = "Pa", displayUnit = "bar", nominal = 1e5);
  model Test
    parameter Real base = 2;
    Pressure p(start = 3*base, min = 0, max = 1e7, fixed = true, stateSelect = StateSelect.prefer) "a comment with \"quotes\"";
    Pressure q[2](start = {1, 2}, each nominal = 10, stateSelect = {StateSelect.always, StateSelect.never});
    Integer n(min = 1, max = 5, start = 2) = 3;
    Boolean b(start = true, fixed = true);
    output Real y = p;
    input Real u(start = 4);
  protected
    Real hidden = 2*p;
  equation
    der(p) = -p + u;
    q[1] = p;
    q[2] = hidden;
    b = pre(b);
  end Test;
end Attributes;
