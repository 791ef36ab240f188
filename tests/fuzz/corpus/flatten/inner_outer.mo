package Fields
  function weight
    input Real m;
    output Real f;
  algorithm
    f := 9.81*m;
  end weight;
  model Body
    outer function gravity = weight;
    outer Real level;
    parameter Real m = 1;
    Real f = gravity(m) + level;
  end Body;
  function moon
    input Real m;
    output Real f;
  algorithm
    f := 1.62*m;
  end moon;
  model Box
    Body body(m = 2);
  end Box;
  model Test
    inner function gravity = moon;
    inner Real level = time;
    Box box;
  end Test;
end Fields;
