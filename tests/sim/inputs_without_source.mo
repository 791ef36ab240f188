// Inputs of the model that nothing sets keep their start values, which is told in one line; one with a binding has a source.
// class: InputsWithoutSource
// expect error S109 at 14
// expect message nothing gave the inputs `force` = 1.5, `on` = false, `k` = 4, `color` = green, `pair[1]` = 0, `pair[2]` = 0, `plug` = 7 a value
// expect v(1) = 4.5 +- 1e-6
package Plugs
  connector In = input Real;
  model Inner
    input Real u;
  end Inner;
end Plugs;
model InputsWithoutSource
  type Color = enumeration(red, green);
  input Real force(start = 1.5);
  input Boolean on;
  input Integer k(start = 4);
  input Color color(start = Color.green);
  input Real pair[2];
  input Real bound = 3*time^0;
  Plugs.In plug(start = 7);
  Plugs.Inner inside(u = force);
  Real v(start = 0, fixed = true);
equation
  der(v) = inside.u + bound;
end InputsWithoutSource;
